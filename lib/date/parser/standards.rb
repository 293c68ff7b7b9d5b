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
    # The form that nearly all texts have, which {EXTENDED} knows among others.
    COMMON = /\A(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[,.](\d+))?)?(Z|[-+]\d\d(?::?\d\d)?)?)?\z/
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
        if (m = COMMON.match(text)) then common(found, *m.captures)
        elsif (m = EXTENDED.match(text)) then extended(found, *m.captures)
        elsif (m = BASIC.match(text)) then basic(found, *m.captures)
        elsif (m = EXTENDED_TIME.match(text) || BASIC_TIME.match(text))
          put_time(found, m[1], m[2], m[3], m[4])
          put_zone(found, m[5])
        end
        found
      end

      def rfc3339(text)
        m = RFC3339.match(text) or return {}
        year, month, day, hour, minute, second, part, zone = m.captures
        found = {year: year.to_i, mon: month.to_i, mday: day.to_i, hour: hour.to_i, min: minute.to_i, sec: second.to_i}
        put_zone(found, zone)
        found[:sec_fraction] = fraction(part) if part
        found
      end

      def xmlschema(text)
        found = {}
        if (m = XML_DATE.match(text))
          year, month, day, hour, minute, second, part, zone = m.captures
          put_date(found, year, month, day)
          put_time(found, hour, minute, second, part)
          put_zone(found, zone)
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

      # The groups of a pattern are the parameters of these three.

      def common(found, year, month, day, hour, minute, second, part, zone)
        found[:mday] = day.to_i
        found[:year] = year.to_i
        found[:mon] = month.to_i
        return unless hour
        put_time(found, hour, minute, second, part)
        put_zone(found, zone)
      end

      # A part may be left out if all in front of it are.
      def extended(found, year, month, day, year_of_yday, yday, year_of_week, week, day_of_week, weekday,
                   hour, minute, second, part, zone)
        if year
          return if month.nil? && (day.nil? || year != "-")
          found[:mday] = day.to_i if day
          found[:year] = full_year(year) if year != "-"
          found[:mon] = month.to_i if month
        elsif yday
          found[:yday] = yday.to_i
          found[:year] = full_year(year_of_yday) if year_of_yday
        elsif day_of_week
          put_week(found, year_of_week, week, day_of_week)
        elsif weekday
          found[:cwday] = weekday.to_i
        end
        put_time(found, hour, minute, second, part)
        put_zone(found, zone)
      end

      def basic(found, year, month, day, year_of_yday, yday, yday_alone, year_of_week, week, day_of_week, week_alone, day_in_it,
                weekday, hour, minute, second, part, zone)
        if day
          return if month == "-" && year != "--"
          found[:mday] = day.to_i
          found[:year] = full_year(year) if year != "--"
          found[:mon] = month.to_i if month != "-"
        elsif yday || yday_alone
          found[:yday] = (yday || yday_alone).to_i
          found[:year] = full_year(year_of_yday) if year_of_yday
        elsif day_of_week || day_in_it
          put_week(found, year_of_week, week || week_alone, day_of_week || day_in_it)
        elsif weekday
          found[:cwday] = weekday.to_i
        end
        put_time(found, hour, minute, second, part)
        put_zone(found, zone)
      end

      def put_week(found, year, week, day)
        found[:cweek] = week.to_i
        found[:cwday] = day.to_i
        found[:cwyear] = full_year(year) if year
      end
    end
  end
end
