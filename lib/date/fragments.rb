# carat: core
# frozen_string_literal: true

class Date
  # From what was found in a text to a day: what is missing comes from today or is the first of its kind.
  module Fragments
    TIME = [:hour, :min, :sec].freeze
    # Ways to name a moment. The one of which most is known counts, the first of several: a weekday alone is in this week.
    WAYS = {
      time: TIME,
      ordinal: [:year, :yday, *TIME].freeze,
      civil: [:year, :mon, :mday, *TIME].freeze,
      jd: [:jd, *TIME].freeze,
      wday: [:wday, *TIME].freeze,
      commercial: [:cwyear, :cweek, :cwday, *TIME].freeze,
      wnum0: [:year, :wnum0, :wday, *TIME].freeze,
      wnum1: [:year, :wnum1, :wday, *TIME].freeze,
      weekday_of_cweek: [:cwyear, :cweek, :wday, *TIME].freeze,
      cwday_of_wnum0: [:year, :wnum0, :cwday, *TIME].freeze,
      cwday_of_wnum1: [:year, :wnum1, :cwday, *TIME].freeze
    }.freeze
    # What begins at this number, unless today says something.
    FIRST = {yday: 1, mon: 1, mday: 1, cweek: 1, cwday: 1, wnum0: 0, wnum1: 0}.freeze
    private_constant :TIME, :WAYS, :FIRST

    class << self
      # The Julian day, or nil. Completes the fragments, also with the time.
      def day(klass, fragments, start)
        return if fragments.empty?
        return civil_day(klass, fragments, start) if plain?(fragments)
        from_seconds(fragments) if fragments.key?(:seconds)
        complete(klass, fragments)
        valid_day(fragments, start)
      end

      private

      def plain?(fragments)
        !fragments.key?(:jd) && !fragments.key?(:yday) && !fragments.key?(:seconds) && fragments.key?(:year) &&
          fragments.key?(:mon) && fragments.key?(:mday)
      end

      # A Date does not ask for the time.
      def civil_day(klass, fragments, start)
        TIME.each { |part| fragments[part] ||= 0 } if klass <= DateTime
        Calendar.valid_civil(fragments[:year], fragments[:mon], fragments[:mday], start)
      end

      def from_seconds(fragments)
        seconds = fragments.delete(:seconds) + (fragments[:offset] || 0)
        days, second = seconds.divmod(DAY_SECONDS)
        fragments[:jd] = EPOCH_JD + days
        fragments[:hour] = second.to_i / 3600
        fragments[:min] = second.to_i / 60 % 60
        fragments[:sec] = second.to_i % 60
        fragments[:sec_fraction] = second % 1
      end

      def complete(klass, fragments)
        way, parts = WAYS.max_by { |_, names| names.count { |name| fragments.key?(name) } }
        known = parts.count { |name| fragments.key?(name) }
        fill(klass, way, parts, fragments) if known > 0 && (known < parts.size || way == :time)
        TIME.each { |part| fragments[part] ||= 0 }
        fragments[:sec] = 59 if fragments[:sec] > 59
      end

      def fill(klass, way, parts, fragments)
        case way
        when :time then fragments[:jd] ||= Date.today.jd if klass <= DateTime
        when :ordinal
          fragments[:year] ||= Date.today.year
          fragments[:yday] ||= 1
        when :civil then from_today(parts, fragments, :mon, :mday)
        when :commercial then from_today(parts, fragments, :cweek, :cwday)
        when :wday
          today = Date.today
          fragments[:jd] = today.jd - today.wday + fragments[:wday]
        when :wnum0
          from_today(parts, fragments, :wnum0)
          fragments[:wday] ||= 0
        when :wnum1
          from_today(parts, fragments, :wnum1)
          fragments[:wday] ||= 1
        end
      end

      # What stands before the first known part is today's, what stands behind it begins.
      def from_today(parts, fragments, *rest)
        today = Date.today
        parts.each do |part|
          break if fragments.key?(part)
          fragments[part] = today.__send__(part)
        end
        rest.each { |part| fragments[part] ||= FIRST[part] }
      end

      def valid_day(f, start)
        f[:jd] || ordinal(f, start) || civil(f, start) || commercial(f, start) || week(f, start, 0) || week(f, start, 1)
      end

      def ordinal(f, start)
        Calendar.valid_ordinal(f[:year], f[:yday], start) if f[:yday] && f[:year]
      end

      def civil(f, start)
        Calendar.valid_civil(f[:year], f[:mon], f[:mday], start) if f[:mday] && f[:mon] && f[:year]
      end

      def commercial(f, start)
        day = f[:cwday] || (f[:wday] == 0 ? 7 : f[:wday])
        Calendar.valid_commercial(f[:cwyear], f[:cweek], day, start) if day && f[:cweek] && f[:cwyear]
      end

      # Weeks that begin on Sunday (0) or Monday (1).
      def week(f, start, first)
        number = f[first == 0 ? :wnum0 : :wnum1]
        day = f[:wday] || f[:cwday]
        return unless number && day && f[:year]
        Calendar.valid_week(f[:year], number, (day - first) % 7, first, start)
      end
    end
  end
  private_constant :Fragments
end
