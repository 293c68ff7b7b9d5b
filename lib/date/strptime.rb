# carat: core
# frozen_string_literal: true

class Date
  # Reads a text as a format says.
  class Strptime
    # What stands for several directives.
    COMPOSITES = {
      "c" => "%a %b %e %H:%M:%S %Y", "D" => "%m/%d/%y", "x" => "%m/%d/%y", "F" => "%Y-%m-%d", "n" => " ", "t" => " ",
      "R" => "%H:%M", "r" => "%I:%M:%S %p", "T" => "%H:%M:%S", "X" => "%H:%M:%S", "v" => "%e-%b-%Y",
      "+" => "%a %b %e %H:%M:%S %Z %Y"
    }.freeze

    # Numbers of at most so many digits within a range; the last ones may begin with a space in place of a digit.
    NUMBERS = {
      "j" => [:yday, 3, 1, 366], "M" => [:min, 2, 0, 59], "m" => [:mon, 2, 1, 12], "S" => [:sec, 2, 0, 60],
      "U" => [:wnum0, 2, 0, 53], "W" => [:wnum1, 2, 0, 53], "u" => [:cwday, 1, 1, 7], "V" => [:cweek, 2, 1, 53],
      "w" => [:wday, 1, 0, 6], "y" => [:year, 2, 0, 99], "g" => [:cwyear, 2, 0, 99]
    }.freeze
    PADDED = {
      "d" => [:mday, 1, 31], "e" => [:mday, 1, 31], "H" => [:hour, 0, 24], "k" => [:hour, 0, 24], "I" => [:hour, 1, 12],
      "l" => [:hour, 1, 12]
    }.freeze

    # Numbers without limit, unless the next directive is a number too.
    YEARS = {"Y" => :year, "G" => :cwyear}.freeze

    # Directives that read a number; one in front of them knows how wide it is.
    NUMERIC = /\G(?:\d|%(?:[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d]))/
    DIRECTIVE = /\G(?:E[cCxXyY]|O[deHImMSuUVwWy]|:{1,3}z|[^EO:])/
    ZONE = /\A(
      (?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|
      (?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|
      (?-i:[[:alpha:]]+)(?:\sdst)?\b
    )/xi
    private_constant :COMPOSITES, :NUMBERS, :PADDED, :YEARS, :NUMERIC, :DIRECTIVE, :ZONE

    # The fragments found, with what is left of the text, or nil if it does not fit.
    def self.parse(text, format)
      text = Primitive.to_str(text)
      format = Primitive.to_str(format)
      raise ArgumentError, "format should have ASCII compatible encoding" unless format.encoding.ascii_compatible?
      new(text).parse(format)
    end

    def initialize(text)
      @text = text
      @bytes = text.ascii_only? || text.encoding == Encoding::BINARY ? text : text.b
      @position = 0
      @found = {}
    end

    def parse(format)
      return unless run(format)
      rest = @text.byteslice(@position..)
      @found[:leftover] = rest unless rest.empty?
      finish
      @found
    end

    private

    def run(format)
      index = 0
      while index < format.bytesize
        byte = format.getbyte(index)
        if byte == 0x25 && (directive = directive_at(format, index + 1))
          index += 1 + directive.bytesize
          return false unless read(directive[-1], format, index)
        elsif space?(byte)
          skip_spaces
          index += 1
        else
          return false unless byte == @bytes.getbyte(@position)
          @position += 1
          index += 1
        end
      end
      true
    end

    # What stands behind a percent sign, if that is a directive.
    def directive_at(format, index)
      directive = (format.ascii_only? ? format : format.b).byteslice(index, 4)&.[](DIRECTIVE) or return
      letter = directive[-1]
      directive if "AaBbhCcDdeFGgHIjkLlMmNnPpQRrSsTtUuVvWwXxYyZz%+".include?(letter)
    end

    def space?(byte) = byte == 32 || byte.between?(9, 13)

    def skip_spaces
      while (byte = @bytes.getbyte(@position)) && space?(byte)
        @position += 1
      end
    end

    def read(letter, format, index)
      if (number = NUMBERS[letter]) then read_number(*number)
      elsif (number = PADDED[letter]) then read_padded(*number)
      elsif (composite = COMPOSITES[letter]) then run(composite)
      elsif (name = YEARS[letter]) then read_year(name, numeric_next?(format, index))
      else read_other(letter, format, index)
      end
    end

    def read_other(letter, format, index)
      case letter
      when "A", "a" then read_name(:wday, DAYNAMES, 0)
      when "B", "b", "h" then read_name(:mon, MONTHNAMES, 1)
      when "C" then read_century(numeric_next?(format, index))
      when "L" then read_fraction(numeric_next?(format, index) ? 3 : nil)
      when "N" then read_fraction(numeric_next?(format, index) ? 9 : nil)
      when "P", "p" then read_meridian
      when "Q" then read_seconds(1000)
      when "s" then read_seconds(1)
      when "Z", "z" then read_zone
      when "%" then read_percent
      end
    end

    def numeric_next?(format, index) = format.b.match?(NUMERIC, index)

    # The digits at the position, at most +width+, as text.
    def digits(width = nil)
      first = @position
      last = width ? first + width : @bytes.bytesize
      finish = first
      finish += 1 while finish < last && @bytes.getbyte(finish)&.between?(48, 57)
      return if finish == first
      @position = finish
      @bytes.byteslice(first, finish - first)
    end

    def sign
      case @bytes.getbyte(@position)
      when 0x2b
        @position += 1
        1
      when 0x2d
        @position += 1
        -1
      end
    end

    def read_number(name, width, min, max)
      number = digits(width)&.to_i
      return false unless number&.between?(min, max)
      @found[name] = number
      @found[:_cent] ||= number >= 69 ? 19 : 20 if max == 99
      true
    end

    def read_padded(name, min, max)
      if @bytes.getbyte(@position) == 32
        @position += 1
        number = digits(1)
      else
        number = digits(2)
      end
      return false unless number && number.to_i.between?(min, max)
      @found[name] = number.to_i
      true
    end

    def read_year(name, numeric_next)
      negative = sign == -1
      number = digits(numeric_next ? 4 : nil) or return false
      @found[name] = negative ? -number.to_i : number.to_i
      true
    end

    def read_century(numeric_next)
      negative = sign == -1
      number = digits(numeric_next ? 2 : nil) or return false
      @found[:_cent] = negative ? -number.to_i : number.to_i
      true
    end

    def read_fraction(width)
      negative = sign == -1
      number = digits(width) or return false
      fraction = Rational(number.to_i, 10**number.size)
      @found[:sec_fraction] = negative ? -fraction : fraction
      true
    end

    def read_seconds(per_second)
      negative = @bytes.getbyte(@position) == 0x2d
      @position += 1 if negative
      number = digits&.to_i or return false
      number = -number if negative
      @found[:seconds] = per_second == 1 ? number : Rational(number, per_second)
      true
    end

    # A whole name or its first three letters.
    def read_name(key, names, first)
      index = (first...names.size).find { |i| prefix?(names[i][0, 3]) } or return false
      @position += prefix?(names[index]) ? names[index].size : 3
      @found[key] = index
      true
    end

    def prefix?(name) = @bytes.byteslice(@position, name.size)&.casecmp?(name)

    def read_meridian
      text = @bytes.byteslice(@position, 4).to_s.downcase
      length = text.start_with?("am", "pm") ? 2 : 4
      return false unless length == 2 || text == "a.m." || text == "p.m."
      @position += length
      @found[:_merid] = text.start_with?("p") ? 12 : 0
      true
    end

    def read_zone
      match = ZONE.match(@bytes.byteslice(@position..)) or return false
      zone = @text.byteslice(@position, match[1].bytesize)
      @position += zone.bytesize
      @found[:zone] = zone
      @found[:offset] = Zone.seconds(zone)
      true
    end

    def read_percent
      return false unless @bytes.getbyte(@position) == 0x25
      @position += 1
      true
    end

    # Centuries and halves of the day belong to other fields.
    def finish
      if (century = @found.delete(:_cent))
        @found[:cwyear] += century * 100 if @found[:cwyear]
        @found[:year] += century * 100 if @found[:year]
      end
      return unless (half = @found.delete(:_merid))
      @found[:hour] = @found[:hour] % 12 + half if @found[:hour]
    end
  end
  private_constant :Strptime
end
