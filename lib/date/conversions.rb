# carat: core
# frozen_string_literal: true

class Date
  # Midnight of the day, on the process's clock.
  def to_time
    day = gregorian? ? self : gregorian
    Time.local(day.year, day.month, day.day)
  end

  def to_date = self

  # Midnight of the day in Greenwich.
  def to_datetime = DateTime.__send__(:make_moment, local_jd, 0, 0, 0, @__start)
end

class DateTime
  def to_time
    date = gregorian? ? self : gregorian
    seconds = date.sec
    seconds += sec_fraction if nanosecond != 0
    Time.new(date.year, date.month, date.day, date.hour, date.min, seconds, clock_offset)
  end

  def to_date = Date.__send__(:make, local_jd, @__start)

  def to_datetime = self
end

class Time
  def to_time = self

  def to_date = Date.__send__(:from_time, self)

  def to_datetime = DateTime.__send__(:from_time, self)
end

class Date
  class << self
    private

    def from_time(time) = make(day_of(time), REFORM)

    # Times know the Gregorian calendar only.
    def day_of(time) = Calendar.civil_to_jd(time.year, time.month, time.day, GREGORIAN)
  end

  class << DateTime
    private

    def from_time(time)
      nanosecond = time.subsec * SECOND_NANOSECONDS
      nanosecond = nanosecond.numerator if Rational === nanosecond && nanosecond.denominator == 1
      local(day_of(time), time.hour * 3600 + time.min * 60 + time.sec, nanosecond, time.utc_offset, REFORM)
    end
  end
end
