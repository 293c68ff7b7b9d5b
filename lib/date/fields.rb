# carat: core
# frozen_string_literal: true

class Date
  def year = civil >> 9

  def month = civil >> 5 & 15
  alias mon month

  def day = civil & 31
  alias mday day

  def yday
    jd = local_jd
    jd - Calendar.first_of_year(year, @__start) + 1
  end

  def wday = (local_jd + 1) % 7

  def sunday? = wday == 0
  def monday? = wday == 1
  def tuesday? = wday == 2
  def wednesday? = wday == 3
  def thursday? = wday == 4
  def friday? = wday == 5
  def saturday? = wday == 6

  # The year, week and day of ISO 8601: weeks belong to the year of their Thursday.
  def cwyear = Calendar.jd_to_commercial_year(local_jd, @__start)

  def cweek = Calendar.jd_to_commercial_week(local_jd, @__start)

  def cwday = local_jd % 7 + 1

  # The number of the day on the clock's calendar; counted from 1858-11-17; from 1582-10-14.
  def jd = local_jd

  def mjd = local_jd - 2_400_001

  def ld = local_jd - 2_299_160

  # The astronomical Julian day of the moment, which begins at noon in Greenwich, with its fraction; from 1858 on.
  def ajd = exact_days - Rational(1, 2)

  def amjd = exact_days - 2_400_001

  # What part of its day has passed.
  def day_fraction
    return 0 unless @__second
    Rational(local_second, DAY_SECONDS) + Rational(@__nanosecond, DAY_SECONDS * SECOND_NANOSECONDS)
  end

  def start = @__start

  def julian? = @__jd < @__start

  def gregorian? = !julian?

  def leap?
    return Calendar.gregorian_leap?(year) if gregorian?
    Calendar.jd_to_civil(Calendar.civil_to_jd(year, 3, 1, JULIAN) - 1, JULIAN) & 31 == 29
  end

  # The same day under another calendar.
  def new_start(start = ITALY)
    copy = moved(0, 0, 0)
    copy.__send__(:change_start, Calendar.start(start))
    copy
  end

  def italy = new_start(ITALY)
  def england = new_start(ENGLAND)
  def julian = new_start(JULIAN)
  def gregorian = new_start(GREGORIAN)

  def infinite? = false

  def deconstruct_keys(keys)
    all = keys.nil?
    raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)" unless all || Array === keys
    names = pattern_keys
    keys = all ? names : keys
    keys.each_with_object({}) { |key, found| found[key] = __send__(key) if names.include?(key) }
  end

  PATTERN_KEYS = [:year, :month, :day, :yday, :wday].freeze
  private_constant :PATTERN_KEYS

  # Fields that other dates ask for.

  def utc_jd = @__jd

  def utc_second = @__second || 0

  def nanosecond = @__nanosecond || 0

  def clock_offset = @__offset || 0

  # The day as the clock shows it.
  def local_jd = @__offset ? @__jd + (@__second + @__offset) / DAY_SECONDS : @__jd

  # Days since noon of the first one, exactly.
  def exact_days
    return Rational(@__jd, 1) unless @__second
    seconds = Rational(@__jd * DAY_SECONDS + @__second, DAY_SECONDS)
    return seconds if @__nanosecond == 0
    seconds + Rational(@__nanosecond, DAY_SECONDS * SECOND_NANOSECONDS)
  end

  protected :utc_jd, :utc_second, :nanosecond, :clock_offset, :local_jd, :exact_days

  private

  def pattern_keys = PATTERN_KEYS

  # Year, month and day as Calendar packs them.
  def civil
    found = @__civil
    return found if found
    found = Calendar.jd_to_civil(local_jd, @__start)
    @__civil = found unless frozen?
    found
  end

  def change_start(start)
    @__start = start
    @__civil = nil
  end

  def local_second = @__second ? (@__second + @__offset) % DAY_SECONDS : 0

  def hour = local_second / 3600

  def min = local_second / 60 % 60
  alias minute min

  def sec = local_second % 60
  alias second sec
end
