# carat: core
# frozen_string_literal: true

class Date
  class << self
    # Unlike +new+ it keeps a day's fraction.
    def civil(year = -4712, month = 1, day = 1, start = ITALY)
      year = whole_number(year, "year")
      month = whole_number(month, "month")
      whole = whole_number(day, "day")
      start = Calendar.start(start)
      jd = Calendar.valid_civil(year, month, whole, start) or raise Error, "invalid date"
      with_fraction(make(jd, start), day, whole)
    end

    def jd(jd = 0, start = ITALY)
      whole = whole_number(jd, "jd")
      with_fraction(make(whole, Calendar.start(start)), jd, whole)
    end

    def ordinal(year = -4712, yday = 1, start = ITALY)
      year = whole_number(year, "year")
      whole = whole_number(yday, "yday")
      start = Calendar.start(start)
      jd = Calendar.valid_ordinal(year, whole, start) or raise Error, "invalid date"
      with_fraction(make(jd, start), yday, whole)
    end

    def commercial(year = -4712, week = 1, day = 1, start = ITALY)
      year = whole_number(year, "year")
      week = whole_number(week, "cweek")
      whole = whole_number(day, "cwday")
      start = Calendar.start(start)
      jd = Calendar.valid_commercial(year, week, whole, start) or raise Error, "invalid date"
      with_fraction(make(jd, start), day, whole)
    end

    def today(start = ITALY)
      make(day_of(Time.now), Calendar.start(start))
    end

    def valid_jd?(jd, start = ITALY) = Numeric === jd

    def valid_civil?(year, month, day, start = ITALY)
      return false unless Numeric === year && Numeric === month && Numeric === day
      !!Calendar.valid_civil(year.to_i, month.to_i, day.to_i, Calendar.start(start))
    end
    alias valid_date? valid_civil?

    def valid_ordinal?(year, yday, start = ITALY)
      return false unless Numeric === year && Numeric === yday
      !!Calendar.valid_ordinal(year.to_i, yday.to_i, Calendar.start(start))
    end

    def valid_commercial?(year, week, day, start = ITALY)
      return false unless Numeric === year && Numeric === week && Numeric === day
      !!Calendar.valid_commercial(year.to_i, week.to_i, day.to_i, Calendar.start(start))
    end

    def gregorian_leap?(year)
      raise TypeError, "invalid year (not numeric)" unless Numeric === year
      Calendar.gregorian_leap?(year.to_i)
    end
    alias leap? gregorian_leap?

    def julian_leap?(year)
      raise TypeError, "invalid year (not numeric)" unless Numeric === year
      year.to_i % 4 == 0
    end

    def _load(dump) = Marshal.load(dump).then { |fields| allocate.tap { |date| date.marshal_load(fields) } }

    private

    # A date of nothing but a day.
    def make(jd, start)
      date = allocate
      date.__send__(:set_day, jd, start)
      date
    end

    # A date with a time: all numbers are in Greenwich.
    def make_moment(jd, second, nanosecond, offset, start)
      date = allocate
      date.__send__(:set_moment, jd, second, nanosecond, offset, start)
      date
    end

    def whole_number(number, name)
      return number if Integer === number
      raise TypeError, "invalid #{name} (not numeric)" unless Numeric === number
      number.floor
    end

    def with_fraction(date, number, whole)
      number == whole ? date : date + (number - whole)
    end

    # A date from what a parser found, or the error.
    def from_fragments(fragments, start)
      start = Calendar.start(start)
      jd = fragments && Fragments.day(self, fragments, start)
      raise Error, "invalid date" unless jd
      make(jd, start)
    end
  end

  def initialize(year = -4712, month = 1, day = 1, start = ITALY)
    year = whole(year, "year")
    month = whole(month, "month")
    number = whole(day, "day")
    start = Calendar.start(start)
    jd = Calendar.valid_civil(year, month, number, start) or raise Error, "invalid date"
    set_day(jd, start)
    @__civil = Calendar.pack(year, month, number) if month > 0 && number > 0
  end

  def initialize_copy(other)
    raise TypeError, "initialize_copy should take same class object" unless Date === other
    self
  end

  # A period of the calendars, in days, of which a dump counts the days.
  PERIOD = 213_447_717
  private_constant :PERIOD

  # The number of the period, the day in it, the time in Greenwich, the offset and the day of reform.
  def marshal_dump
    period, day = @__jd.divmod(PERIOD)
    [period, day, @__second || 0, @__nanosecond || 0, @__offset || 0, @__start]
  end

  def marshal_load(fields)
    raise TypeError, "expected array" unless Array === fields
    return load_day(*fields) if fields.size.between?(2, 3)
    raise TypeError, "invalid size" unless fields.size == 6
    period, day, second, nanosecond, offset, start = fields
    jd = period * PERIOD + day
    if instance_of?(Date) && second == 0 && nanosecond == 0 && offset == 0
      set_day(jd, start)
    else
      set_moment(jd, second, nanosecond, offset, start)
    end
    self
  end

  private

  # What old versions dumped: a Julian day and whether it is always Gregorian, or an astronomical one with offset and reform.
  def load_day(day, offset, start = offset)
    two = start.equal?(offset) && !(Numeric === start)
    start = start ? GREGORIAN : JULIAN if two
    start = start.infinite? * Float::INFINITY if Infinity === start
    jd, fraction = (two ? day : day + 1r / 2).divmod(1)
    moment = (fraction * DAY_SECONDS * SECOND_NANOSECONDS).round
    offset = two ? 0 : (offset * DAY_SECONDS).round
    return set_day(jd, start.to_f).then { self } if instance_of?(Date) && moment == 0 && offset == 0
    set_moment(jd, *moment.divmod(SECOND_NANOSECONDS), offset, start.to_f)
    self
  end

  def whole(number, name)
    return number if Integer === number
    raise TypeError, "invalid #{name} (not numeric)" unless Numeric === number
    number.floor
  end

  def set_day(jd, start)
    @__jd = jd
    @__start = start
  end

  def set_moment(jd, second, nanosecond, offset, start)
    @__jd = jd
    @__start = start
    @__second = second
    @__nanosecond = nanosecond
    @__offset = offset
  end

  def add_fraction(fraction)
    sum = self + fraction
    set_moment(sum.utc_jd, sum.utc_second, sum.nanosecond, sum.clock_offset, @__start)
  end
end
