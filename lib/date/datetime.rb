# carat: core
# frozen_string_literal: true

# A date with a time of day and the offset of its clock.
class DateTime < Date
end

# Constants of Date are seen from here.
class Date
  class << DateTime
    undef_method :today

    def civil(...) = new(...)

    def jd(jd = 0, hour = Primitive.undef, minute = Primitive.undef, second = Primitive.undef,
           offset = 0, start = ITALY)
      day = whole_number(jd, "jd")
      from_parts(day, [jd, hour, minute, second], offset, start)
    end

    def ordinal(year = -4712, yday = 1, hour = Primitive.undef, minute = Primitive.undef, second = Primitive.undef,
                offset = 0, start = ITALY)
      year = whole_number(year, "year")
      jd = Calendar.valid_ordinal(year, whole_number(yday, "yday"), Calendar.start(start)) or raise Error, "invalid date"
      from_parts(jd, [yday, hour, minute, second], offset, start)
    end

    def commercial(year = -4712, week = 1, day = 1, hour = Primitive.undef, minute = Primitive.undef,
                   second = Primitive.undef, offset = 0, start = ITALY)
      year = whole_number(year, "year")
      week = whole_number(week, "cweek")
      whole = whole_number(day, "cwday")
      jd = Calendar.valid_commercial(year, week, whole, Calendar.start(start)) or raise Error, "invalid date"
      from_parts(jd, [day, hour, minute, second], offset, start)
    end

    def now(start = ITALY)
      now = Time.now
      local(day_of(now), now.hour * 3600 + now.min * 60 + now.sec, now.nsec, now.utc_offset, Calendar.start(start))
    end

    def _strptime(text, format = "%FT%T%z") = Strptime.parse(text, format)

    def strptime(text = "-4712-01-01T00:00:00+00:00", format = "%FT%T%z", start = ITALY)
      from_fragments(Strptime.parse(text, format), start)
    end

    def parse(text = "-4712-01-01T00:00:00+00:00", comp = true, start = ITALY, limit: 128, **)
      from_fragments(Parser.parse(checked(text, limit), comp), start)
    end

    def iso8601(text = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128, **)
      __read(:iso8601, text, start, limit)
    end

    def rfc3339(text = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128, **)
      __read(:rfc3339, text, start, limit)
    end

    def xmlschema(text = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128, **)
      __read(:xmlschema, text, start, limit)
    end

    def rfc2822(text = "Mon, 1 Jan -4712 00:00:00 +0000", start = ITALY, limit: 128, **)
      __read(:rfc2822, text, start, limit)
    end
    alias rfc822 rfc2822

    def httpdate(text = "Mon, 01 Jan -4712 00:00:00 GMT", start = ITALY, limit: 128, **)
      __read(:httpdate, text, start, limit)
    end

    def jisx0301(text = "-4712-01-01T00:00:00+00:00", start = ITALY, limit: 128, **)
      __read(:jisx0301, text, start, limit)
    end

    private

    # A moment by what its clock shows.
    def local(jd, second, nanosecond, offset, start)
      carried, second = (second - offset).divmod(DAY_SECONDS)
      make_moment(jd + carried, second, nanosecond, offset, start)
    end

    def from_parts(jd, parts, offset, start)
      moment = allocate
      moment.__send__(:set_parts, jd, parts, offset, Calendar.start(start))
      moment
    end

    def from_fragments(fragments, start)
      start = Calendar.start(start)
      jd = fragments && Fragments.day(self, fragments, start)
      second = jd && Calendar.valid_time(fragments[:hour], fragments[:min], fragments[:sec] == 60 ? 59 : fragments[:sec])
      raise Error, "invalid date" unless second
      nanosecond = (fragments[:sec_fraction] || 0) * SECOND_NANOSECONDS
      nanosecond = nanosecond.numerator if Rational === nanosecond && nanosecond.denominator == 1
      local(jd, second, nanosecond, Zone.checked(fragments[:offset] || 0), start)
    end
  end
end

class DateTime
  def initialize(year = -4712, month = 1, day = 1, hour = Primitive.undef, minute = Primitive.undef, second = Primitive.undef,
                 offset = 0, start = ITALY)
    year = whole(year, "year")
    month = whole(month, "month")
    start = Calendar.start(start)
    jd = Calendar.valid_civil(year, month, whole(day, "day"), start) or raise Error, "invalid date"
    # What is not given behind a whole number is zero.
    if Integer === day
      hour = 0 if Primitive.undef?(hour)
      if Integer === hour
        minute = 0 if Primitive.undef?(minute)
        if Integer === minute
          second = 0 if Primitive.undef?(second)
          return set_clock(jd, hour, minute, second, offset, start) if Integer === second
        end
      end
    end
    set_parts(jd, [day, hour, minute, second], offset, start)
  end

  public :hour, :min, :minute, :sec, :second

  # The part of a second, as a Rational.
  def sec_fraction = Rational(nanosecond, SECOND_NANOSECONDS)
  alias second_fraction sec_fraction

  # As a part of a day.
  def offset = Rational(clock_offset, DAY_SECONDS)

  def zone = ascii("%:z")

  # The same moment on another clock.
  def new_offset(offset = 0)
    offset = Zone.offset(offset)
    moved(0, 0, 0).tap { |copy| copy.__send__(:change_offset, offset) }
  end

  MOMENT_FORMAT = "%FT%T%:z".dup.force_encoding(Encoding::US_ASCII).freeze
  private_constant :MOMENT_FORMAT

  def strftime(format = MOMENT_FORMAT) = __formatted(format)

  def to_s = ascii("%Y-%m-%dT%H:%M:%S%:z")

  # With +digits+ of the second's fraction.
  def iso8601(digits = 0) = ascii("%Y-%m-%d" + time_format(digits))
  alias xmlschema iso8601
  alias rfc3339 iso8601

  def jisx0301(digits = 0) = ascii(jisx0301_format + time_format(digits))

  TIME_PATTERN_KEYS = [:year, :month, :day, :yday, :wday, :hour, :min, :sec, :sec_fraction, :zone].freeze
  private_constant :TIME_PATTERN_KEYS

  private

  def pattern_keys = TIME_PATTERN_KEYS

  PART_NAMES = ["day", "hour", "minute", "second"].freeze
  PARTS_OF_A_DAY = [1, 24, 1440, 86_400].freeze
  private_constant :PART_NAMES, :PARTS_OF_A_DAY

  # Only the last part given may have a fraction.
  def set_parts(jd, parts, offset, start)
    parts.pop while Primitive.undef?(parts.last)
    wholes = parts.each_with_index.map { |part, index| whole(part, PART_NAMES[index]) }
    broken = parts.each_index.find { |index| parts[index] != wholes[index] }
    raise Error, "invalid fraction" if broken && broken < parts.size - 1
    set_clock(jd, wholes[1] || 0, wholes[2] || 0, wholes[3] || 0, offset, start)
    add_fraction(exact_part(parts[broken] - wholes[broken], PARTS_OF_A_DAY[broken])) if broken
  end

  def set_clock(jd, hour, minute, second, offset, start)
    second = Calendar.valid_time(hour, minute, second) or raise Error, "invalid date"
    offset = Zone.offset(offset)
    carried, second = (second - offset).divmod(DAY_SECONDS)
    set_moment(jd + carried, second, 0, offset, start)
  end

  def exact_part(part, per_day) = Float === part ? part / per_day : part.to_r / per_day

  def time_format(digits)
    digits = digits.to_i
    digits > 0 ? "T%H:%M:%S.%#{digits}N%:z" : "T%H:%M:%S%:z"
  end
end
