# carat: core
# frozen_string_literal: true

class Date
  # The moment so many days later; fractions of a day are exact if +days+ is.
  def +(days)
    case days
    when Integer then moved(days, 0, 0)
    when Rational then plus_rational(days)
    when Float then plus_float(days)
    else
      raise TypeError, "expected numeric" unless Numeric === days
      rational = days.to_r
      raise TypeError, "wrong argument type #{rational.class} (expected Rational)" unless Rational === rational
      plus_rational(rational)
    end
  end

  # The moment so many days earlier, or the number of days since another date, as a Rational.
  def -(other)
    case other
    when Integer then moved(-other, 0, 0)
    when Date then difference(other)
    when Numeric then self + -other
    else raise TypeError, "expected numeric"
    end
  end

  # The same day so many months later, or the last one of that month.
  def >>(months)
    raise TypeError, "expected numeric" unless Numeric === months
    packed = civil
    total = (packed >> 9) * 12 + (packed >> 5 & 15) - 1 + months
    year = (total / 12).floor
    month = (total % 12).to_i + 1
    day = packed & 31
    until (jd = Calendar.valid_civil(year, month, day, @__start))
      day -= 1
      raise Error, "invalid date" if day < 1
    end
    moved(jd - local_jd, 0, 0)
  end

  def <<(months)
    raise TypeError, "expected numeric" unless Numeric === months
    self >> -months
  end

  def next_day(days = 1) = self + days
  def prev_day(days = 1) = self - days
  def next_month(months = 1) = self >> months
  def prev_month(months = 1) = self << months
  def next_year(years = 1) = self >> years * 12
  def prev_year(years = 1) = self << years * 12
  def next = moved(1, 0, 0)
  alias succ next

  # With a number, compares astronomical Julian days.
  def <=>(other)
    if Date === other
      order = @__jd <=> other.utc_jd
      return order if order != 0 || (@__second.nil? && other.utc_second == 0 && other.nanosecond == 0)
      order = utc_second <=> other.utc_second
      order == 0 ? nanosecond <=> other.nanosecond : order
    elsif Numeric === other
      ajd <=> other
    end
  end

  # Whether it is the same day of the calendar, whatever the time.
  def ===(other)
    if Date === other
      local_jd == other.local_jd
    elsif Numeric === other
      local_jd == other
    end
  end

  def eql?(other) = Date === other && (self <=> other) == 0

  # A moment at midnight is the day.
  def hash
    return @__jd.hash if !@__second || (@__second == 0 && @__nanosecond == 0)
    [@__jd, utc_second, nanosecond].hash
  end

  def step(limit, by = 1)
    return to_enum(:step, limit, by) unless block_given?
    date = self
    order = by <=> 0
    raise ArgumentError, "comparison failed" if order.nil?
    if order > 0
      while date <= limit
        yield date
        date += by
      end
    elsif order < 0
      while date >= limit
        yield date
        date += by
      end
    else
      loop_forever(date) { |same| yield same }
    end
    self
  end

  def upto(max)
    return to_enum(:upto, max) unless block_given?
    date = self
    while date <= max
      yield date
      date = date.next
    end
    self
  end

  def downto(min)
    return to_enum(:downto, min) unless block_given?
    date = self
    while date >= min
      yield date
      date += -1
    end
    self
  end

  private

  def loop_forever(date)
    yield date while true
  end

  # A date of this class so much later. The nanoseconds may be a Rational, all may be negative.
  def moved(days, seconds, nanoseconds)
    copy = self.class.allocate
    if !@__second && seconds == 0 && nanoseconds == 0
      copy.__send__(:set_day, @__jd + days, @__start)
      return copy
    end
    copy.__send__(:set_moved, self, days, seconds, nanoseconds)
    copy
  end

  def set_moved(other, days, seconds, nanoseconds)
    nanoseconds += other.nanosecond
    carried, nanoseconds = nanoseconds.divmod(SECOND_NANOSECONDS)
    nanoseconds = nanoseconds.numerator if Rational === nanoseconds && nanoseconds.denominator == 1
    carried, seconds = (other.utc_second + seconds + carried).divmod(DAY_SECONDS)
    set_moment(other.utc_jd + days + carried, seconds, nanoseconds, other.clock_offset, other.start)
  end

  def plus_rational(days)
    return moved(days.numerator, 0, 0) if days.denominator == 1
    whole = days.floor
    seconds = (days - whole) * DAY_SECONDS
    moved(whole, seconds.floor, (seconds - seconds.floor) * SECOND_NANOSECONDS)
  end

  # Rounded to nanoseconds.
  def plus_float(days)
    raise FloatDomainError, days.to_s if days.nan? || days.infinite?
    sign = days < 0 ? -1 : 1
    days = days.abs
    whole = days.floor
    seconds = (days - whole) * DAY_SECONDS
    nanoseconds = ((seconds - seconds.floor) * SECOND_NANOSECONDS).round
    moved(sign * whole, sign * seconds.floor, sign * nanoseconds)
  end

  def difference(other)
    if @__second || other.moment?
      return exact_days - other.exact_days unless nanosecond == 0 && other.nanosecond == 0
      return Rational((@__jd - other.utc_jd) * DAY_SECONDS + utc_second - other.utc_second, DAY_SECONDS)
    end
    Rational(@__jd - other.utc_jd, 1)
  end

  # Whether it has a time, be it midnight.
  protected def moment? = !@__second.nil?
end
