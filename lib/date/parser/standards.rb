# carat: core
# frozen_string_literal: true

class Date
  # The formats of standards, which a text has as a whole or not at all.
  module Parser
    OFFSET = "z|[-+]\\d{2}(?::?\\d{2})?".freeze
    COLON_OFFSET = "z|[-+]\\d{2}:\\d{2}".freeze
    CLOCK = "(\\d{2}):(\\d{2}):(\\d{2})".freeze

    EXTENDED = /\A\s*
      (?:([-+]?\d{2,}|-)-(\d{2})?(?:-(\d{2}))?|([-+]?\d{2,})?-(\d{3})|(\d{4}|\d{2})?-w(\d{2})-(\d)|-w-(\d))
      (?:t(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d+))?)?(#{OFFSET})?)?\s*\z/xi
    BASIC = /\A\s*
      (?:([-+]?(?:\d{4}|\d{2})|--)(\d{2}|-)(\d{2})|([-+]?(?:\d{4}|\d{2}))(\d{3})|-(\d{3})|(\d{4}|\d{2})w(\d{2})(\d)|
        -w(\d{2})(\d)|-w-(\d))
      (?:t?(\d{2})(\d{2})(?:(\d{2})(?:[,.](\d+))?)?(z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/xi
    EXTENDED_TIME = /\A\s*(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d+))?(#{OFFSET})?)?\s*\z/i
    BASIC_TIME = /\A\s*(\d{2})(\d{2})(?:(\d{2})(?:[,.](\d+))?(z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/i
    RFC3339 = /\A\s*(-?\d{4})-(\d{2})-(\d{2})(?:t|\s)#{CLOCK}(?:\.(\d+))?(#{COLON_OFFSET})\s*\z/i
    XML_DATE = /\A\s*(-?\d{4,})(?:-(\d{2})(?:-(\d{2}))?)?(?:t#{CLOCK}(?:\.(\d+))?)?(#{COLON_OFFSET})?\s*\z/i
    XML_TIME = /\A\s*#{CLOCK}(?:\.(\d+))?(#{COLON_OFFSET})?\s*\z/i
    XML_PART = /\A\s*(?:--(\d{2})(?:-(\d{2}))?|---(\d{2}))(#{COLON_OFFSET})?\s*\z/i
    RFC2822 = /\A\s*(?:(#{WEEKDAY})\s*,\s+)?(\d{1,2})\s+(#{MONTH})\s+(-?\d{2,})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*
      ([-+]\d{4}|[-+]?[a-z]+)\s*\z/xi
    RFC2822_ZONES = /\A(?:[-+]\d{4}|ut|gmt|[ecmp][sd]t|[a-ik-z])\z/i
    HTTP = /\A\s*(#{WEEKDAY})\s*,\s+(\d{2})\s+(#{MONTH})\s+(-?\d{4})\s+#{CLOCK}\s+(gmt)\s*\z/i
    RFC850 = /\A\s*(sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s*,\s+
      (\d{2})\s*-\s*(#{MONTH})\s*-\s*(\d{2})\s+#{CLOCK}\s+(gmt)\s*\z/xi
    ASCTIME = /\A\s*(#{WEEKDAY})\s+(#{MONTH})\s+(\d{1,2})\s+#{CLOCK}\s+(\d{4})\s*\z/i
    JISX0301 = /\A\s*([mtshr])?(\d{2})\.(\d{2})\.(\d{2})
      (?:t(?:(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d*))?)?(#{OFFSET})?)?)?\s*\z/xi
    private_constant(*constants(false).grep(/[A-Z]\z|\d\z/) - [:Parser])

    class << self
      def iso8601(text)
        found = {}
        if (m = EXTENDED.match(text)) then extended(found, m)
        elsif (m = BASIC.match(text)) then basic(found, m)
        elsif (m = EXTENDED_TIME.match(text) || BASIC_TIME.match(text))
          put_time(found, m[1], m[2], m[3], m[4])
          put_zone(found, m[5])
        end
        found
      end

      def rfc3339(text)
        m = RFC3339.match(text) or return {}
        found = {year: m[1].to_i, mon: m[2].to_i, mday: m[3].to_i, hour: m[4].to_i, min: m[5].to_i, sec: m[6].to_i}
        put_zone(found, m[8])
        found[:sec_fraction] = fraction(m[7]) if m[7]
        found
      end

      def xmlschema(text)
        found = {}
        if (m = XML_DATE.match(text))
          put_date(found, m[1], m[2], m[3])
          put_time(found, m[4], m[5], m[6], m[7])
          put_zone(found, m[8])
        elsif (m = XML_TIME.match(text))
          put_time(found, m[1], m[2], m[3], m[4])
          put_zone(found, m[5])
        elsif (m = XML_PART.match(text))
          put_date(found, nil, m[1], m[2] || m[3])
          put_zone(found, m[4])
        end
        found
      end

      def rfc2822(text)
        m = RFC2822.match(text)
        return {} unless m && m[8].match?(RFC2822_ZONES)
        found = {}
        found[:wday] = weekday(m[1]) if m[1]
        found[:mday] = m[2].to_i
        found[:mon] = month(m[3])
        year = m[4].to_i
        year += year >= 50 ? 1900 : 2000 if m[4].size < 4
        found[:year] = year
        put_time(found, m[5], m[6], m[7])
        put_zone(found, m[8])
        found
      end
      alias rfc822 rfc2822

      def httpdate(text)
        if (m = HTTP.match(text) || RFC850.match(text))
          year = m[4].to_i
          year = near_year(year) if m[4].size == 2
          found = {wday: weekday(m[1]), mday: m[2].to_i, mon: month(m[3]), year: year}
          put_time(found, m[5], m[6], m[7])
          found[:zone] = m[8]
          found[:offset] = 0
        elsif (m = ASCTIME.match(text))
          found = {wday: weekday(m[1]), mon: month(m[2]), mday: m[3].to_i}
          put_time(found, m[4], m[5], m[6])
          found[:year] = m[7].to_i
        end
        found || {}
      end

      def jisx0301(text)
        m = JISX0301.match(text) or return iso8601(text)
        era = ERAS[(m[1] || "h").downcase]
        found = {year: m[2].to_i + era, mon: m[3].to_i, mday: m[4].to_i}
        put_time(found, m[5], m[6], m[7], m[8])
        put_zone(found, m[9])
        found
      end

      private

      def put_date(found, year, month, day)
        found[:year] = year.to_i if year
        found[:mon] = month.to_i if month
        found[:mday] = day.to_i if day
      end

      # A part may be left out if all in front of it are.
      def extended(found, m)
        if m[1]
          return if m[2].nil? && m[1] != "-" && m[3] || m[2].nil? && m[3].nil?
          found[:mday] = m[3].to_i if m[3]
          found[:year] = full_year(m[1]) if m[1] != "-"
          found[:mon] = m[2].to_i if m[2]
        elsif m[5]
          found[:yday] = m[5].to_i
          found[:year] = full_year(m[4]) if m[4]
        elsif m[8]
          put_week(found, m[6], m[7], m[8])
        elsif m[9]
          found[:cwday] = m[9].to_i
        end
        put_time(found, m[10], m[11], m[12], m[13])
        put_zone(found, m[14])
      end

      def basic(found, m)
        if m[3]
          return if m[2] == "-" && m[1] != "--"
          found[:mday] = m[3].to_i
          found[:year] = full_year(m[1]) if m[1] != "--"
          found[:mon] = m[2].to_i if m[2] != "-"
        elsif m[5] || m[6]
          found[:yday] = (m[5] || m[6]).to_i
          found[:year] = full_year(m[4]) if m[4]
        elsif (day = m[9] || m[11])
          put_week(found, m[7], m[8] || m[10], day)
        elsif m[12]
          found[:cwday] = m[12].to_i
        end
        put_time(found, m[13], m[14], m[15], m[16])
        put_zone(found, m[17])
      end

      def put_week(found, year, week, day)
        found[:cweek] = week.to_i
        found[:cwday] = day.to_i
        found[:cwyear] = full_year(year) if year
      end
    end
  end
end
