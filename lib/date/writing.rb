# carat: core
# frozen_string_literal: true

class Date
  DATE_FORMAT = "%F".dup.force_encoding(Encoding::US_ASCII).freeze
  private_constant :DATE_FORMAT

  def strftime(format = DATE_FORMAT) = __formatted(format)

  # As strftime, which a program may have replaced.
  protected def __formatted(format)
    format = Primitive.to_str(format)
    format = without_padding(format) if format.include?("%-") && format.valid_encoding? && format.match?(/%-[\d:z]/)
    packed = civil
    if Primitive.same(format, DATE_FORMAT) && (text = Primitive.date_text(packed))
      return text
    end
    jd = local_jd
    year = packed >> 9
    yday = jd - Calendar.first_of_year(year, @__start) + 1
    return Primitive.date_strftime(format, year, packed & 511, yday, jd, 0, 0, 0) unless @__second
    Primitive.date_strftime(format, year, packed & 511, yday, jd, local_second, @__nanosecond, @__offset)
  end

  def to_s = Primitive.date_text(civil) || ascii("%Y-%m-%d")
  alias iso8601 to_s
  alias xmlschema to_s

  def inspect
    start = @__start.infinite? ? (@__start > 0 ? "Inf" : "-Inf") : @__start.to_i
    offset = clock_offset
    time = "#{@__jd}j,#{utc_second}s,#{nanosecond.inspect}n"
    text = "#<#{self.class}: #{self} ((#{time}),#{"+" if offset >= 0}#{offset}s,#{start}j)>"
    text.ascii_only? ? text.force_encoding(Encoding::US_ASCII) : text
  end

  def asctime = ascii("%a %b %e %H:%M:%S %Y")
  alias ctime asctime

  def rfc3339 = ascii("%Y-%m-%dT%H:%M:%S%:z")

  def rfc2822 = ascii("%a, %-d %b %Y %T %z")
  alias rfc822 rfc2822

  def httpdate = in_greenwich.ascii("%a, %d %b %Y %T GMT")

  # Years of the Japanese eras since 1873, the usual form before.
  def jisx0301 = ascii(jisx0301_format)

  # The first days of the eras, their letters and the years before them; the latest first.
  ERAS = [[2_458_605, "R", 2018], [2_447_535, "H", 1988], [2_424_875, "S", 1925], [2_419_614, "T", 1911],
          [2_405_160, "M", 1867]].freeze
  private_constant :ERAS

  # What a format without letters of its own makes is ASCII.
  protected def ascii(format) = __formatted(format).force_encoding(Encoding::US_ASCII)

  private

  # "-" takes the width of what stands for several parts, and a zero of the zone's hours; in Time it does neither.
  def without_padding(format)
    format.gsub(/%%|%-\d+[cxvDFXTRr+]|%-:{0,3}z/) do |part|
      if part == "%%" then part
      elsif part.end_with?("z") then __formatted("%#{part.delete_prefix("%-")}").sub(/\A([-+])0(?=\d)/, '\1')
      else "%-#{part[-1]}"
      end
    end
  end

  def jisx0301_format
    jd = local_jd
    era = ERAS.find { |first,| jd >= first } or return "%Y-%m-%d"
    format("%s%02d.%%m.%%d", era[1], year - era[2])
  end

  def in_greenwich
    return self if clock_offset == 0
    dup.tap { |copy| copy.__send__(:change_offset, 0) }
  end

  def change_offset(offset)
    @__offset = offset
    @__civil = nil
  end
end
