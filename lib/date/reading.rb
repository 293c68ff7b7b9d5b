# carat: core
# frozen_string_literal: true

class Date
  class << self
    # What is found in a text, by name; see Parser for what it understands.
    def _parse(text, comp = true, limit: 128, **) = Parser.parse(checked(text, limit), comp)

    def _iso8601(text, limit: 128, **) = text.nil? ? {} : Parser.iso8601(checked(text, limit))
    def _rfc3339(text, limit: 128, **) = text.nil? ? {} : Parser.rfc3339(checked(text, limit))
    def _xmlschema(text, limit: 128, **) = text.nil? ? {} : Parser.xmlschema(checked(text, limit))
    def _rfc2822(text, limit: 128, **) = text.nil? ? {} : Parser.rfc2822(checked(text, limit))
    alias _rfc822 _rfc2822
    def _httpdate(text, limit: 128, **) = text.nil? ? {} : Parser.httpdate(checked(text, limit))
    def _jisx0301(text, limit: 128, **) = text.nil? ? {} : Parser.jisx0301(checked(text, limit))

    def _strptime(text, format = "%F") = Strptime.parse(text, format)

    def parse(text = "-4712-01-01", comp = true, start = ITALY, limit: 128, **)
      from_fragments(Parser.parse(checked(text, limit), comp), start)
    end

    def strptime(text = "-4712-01-01", format = "%F", start = ITALY)
      from_fragments(Strptime.parse(text, format), start)
    end

    def iso8601(text = "-4712-01-01", start = ITALY, limit: 128, **) = __read(:iso8601, text, start, limit)

    def rfc3339(text = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128, **)
      __read(:rfc3339, text, start, limit)
    end

    def xmlschema(text = "-4712-01-01", start = ITALY, limit: 128, **) = __read(:xmlschema, text, start, limit)

    def rfc2822(text = "Mon, 1 Jan -4712 00:00:00 +0000", start = ITALY, limit: 128, **)
      __read(:rfc2822, text, start, limit)
    end
    alias rfc822 rfc2822

    def httpdate(text = "Mon, 01 Jan -4712 00:00:00 GMT", start = ITALY, limit: 128, **)
      __read(:httpdate, text, start, limit)
    end

    def jisx0301(text = "-4712-01-01", start = ITALY, limit: 128, **) = __read(:jisx0301, text, start, limit)

    private

    # A date from a text of one kind, whatever a program has made of the methods that find its parts.
    def __read(kind, text, start, limit)
      from_fragments(text.nil? ? {} : Parser.__send__(kind, checked(text, limit)), start)
    end

    # Long texts are refused, because some of the patterns take their time over them.
    def checked(text, limit)
      text = Primitive.to_str(text)
      if limit && text.bytesize > limit
        raise ArgumentError, "string length (#{text.bytesize}) exceeds the limit #{limit}"
      end
      text
    end
  end
end
