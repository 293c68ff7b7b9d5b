# carat: core
# frozen_string_literal: true

class Date
  # Arithmetic of calendars, on plain integers. Primitives answer for those of everyday size.
  #
  # +start+ is everywhere the Julian day from which on the Gregorian calendar counts. Days that do not exist give nil.
  module Calendar
    class << self
      def civil_to_jd(year, month, day, start)
        found = Primitive.date_jd(year, month, day, start)
        return found if found
        if month <= 2
          year -= 1
          month += 12
        end
        julian = 1461 * (year + 4716) / 4 + 153 * (month + 1) / 5 + day - 1524
        century = year / 100
        gregorian = julian + 2 - century + century / 4
        gregorian < start ? julian : gregorian
      end

      # Year, month and day in one integer: nine bits hold the last two.
      def jd_to_civil(jd, start)
        found = Primitive.date_civil(jd, start)
        return found if found
        if jd < start
          shifted = jd + 1524
        else
          centuries = (4 * jd - 7_468_865) / 146_097
          shifted = jd + 1525 + centuries - centuries / 4
        end
        year = (20 * shifted - 2442) / 7305
        rest = shifted - 1461 * year / 4
        month = rest * 10_000 / 306_001
        day = rest - 153 * month / 5
        month <= 13 ? pack(year - 4716, month - 1, day) : pack(year - 4715, month - 13, day)
      end

      def pack(year, month, day) = year << 9 | month << 5 | day

      def jd_to_year(jd, start) = jd_to_civil(jd, start) >> 9

      # The Julian day of a valid date; months and days count from the end if they are negative.
      def valid_civil(year, month, day, start)
        found = Primitive.date_valid_jd(year, month, day, start)
        return found || nil unless nil == found
        month += 13 if month < 0
        return if month < 1 || month > 12
        if day < 0
          last = last_day(year, month, start) or return
          packed = jd_to_civil(last + day + 1, start)
          return if packed >> 5 != year << 4 | month
          day = packed & 31
        end
        return if day < 1 || day > 31
        jd = civil_to_jd(year, month, day, start)
        jd if jd_to_civil(jd, start) == pack(year, month, day)
      end

      # The reform may have taken days from either end of a month or year.
      def last_day(year, month, start)
        31.downto(1) { |day| jd = valid_civil(year, month, day, start) and return jd }
        nil
      end

      def first_of_year(year, start)
        found = Primitive.date_first_of_year(year, start)
        return found if found
        jd = civil_to_jd(year, 1, 1, start)
        return jd if jd_to_civil(jd, start) == pack(year, 1, 1)
        2.upto(31) { |day| jd = valid_civil(year, 1, day, start) and return jd }
        nil
      end

      def ordinal_to_jd(year, yday, start) = first_of_year(year, start) + yday - 1

      def valid_ordinal(year, yday, start)
        if yday < 0
          jd = last_day(year, 12, start) + yday + 1
          return if jd_to_year(jd, start) != year
          return jd
        end
        return if yday == 0
        jd = ordinal_to_jd(year, yday, start)
        jd if jd_to_year(jd, start) == year
      end

      def commercial_to_jd(year, week, day, start)
        fourth = first_of_year(year, start) + 3
        fourth - fourth % 7 + 7 * (week - 1) + day - 1
      end

      def jd_to_commercial_year(jd, start)
        year = jd_to_year(jd - 3, start)
        jd >= commercial_to_jd(year + 1, 1, 1, start) ? year + 1 : year
      end

      def jd_to_commercial_week(jd, start)
        (jd - commercial_to_jd(jd_to_commercial_year(jd, start), 1, 1, start)) / 7 + 1
      end

      def valid_commercial(year, week, day, start)
        day += 8 if day < 0
        return if day < 1 || day > 7
        if week < 0
          jd = commercial_to_jd(year + 1, 1, 1, start) + week * 7
          return if jd_to_commercial_year(jd, start) != year
          week = jd_to_commercial_week(jd, start)
        end
        return if week == 0
        jd = commercial_to_jd(year, week, day, start)
        jd if jd_to_commercial_year(jd, start) == year
      end

      # Weeks that begin on Sunday (+first+ 0) or Monday (1); those days before the first one are in week 0.
      def valid_week(year, week, day, first, start)
        return if day < 0 || day > 6 || week < 0
        seventh = first_of_year(year, start) + 6
        jd = seventh - (seventh - first + 1) % 7 - 7 + 7 * week + day
        jd if jd_to_year(jd, start) == year
      end

      # Seconds of the day, 86,400 for 24:00:00.
      def valid_time(hour, minute, second)
        hour += 24 if hour < 0
        minute += 60 if minute < 0
        second += 60 if second < 0
        return if hour < 0 || hour > 24 || minute < 0 || minute > 59 || second < 0 || second > 59
        return if hour == 24 && (minute > 0 || second > 0)
        hour * 3600 + minute * 60 + second
      end

      def gregorian_leap?(year) = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)

      # A day of reform as a Float. One that no reform can have had is worth a warning.
      def start(start)
        return REFORM if start.equal?(ITALY)
        start = Float(start) rescue raise(TypeError, "no implicit conversion to float from #{start.nil? ? "nil" : "string"}")
        return start if start.infinite? || start >= 2_298_874 && start <= 2_426_355
        warn("invalid start is ignored", uplevel: 2) if $VERBOSE
        REFORM
      end
    end
  end
  private_constant :Calendar
end
