# frozen_string_literal: true

require "date"

# Times from texts, and in the formats of mail and HTTP.
class Time
  VERSION = "0.4.2".freeze

  # Hours east of Greenwich, by name. "J" is missing among the military letters.
  ZoneOffset = {
    "UTC" => 0, "Z" => 0, "UT" => 0, "GMT" => 0, "EST" => -5, "EDT" => -4, "CST" => -6, "CDT" => -5, "MST" => -7,
    "MDT" => -6, "PST" => -8, "PDT" => -7, "A" => 1, "B" => 2, "C" => 3, "D" => 4, "E" => 5, "F" => 6, "G" => 7, "H" => 8,
    "I" => 9, "K" => 10, "L" => 11, "M" => 12, "N" => -1, "O" => -2, "P" => -3, "Q" => -4, "R" => -5, "S" => -6,
    "T" => -7, "U" => -8, "V" => -9, "W" => -10, "X" => -11, "Y" => -12
  }.freeze
  # What says that a time is in UTC rather than beside Greenwich.
  UTC_ZONES = ["UTC", "Z", "UT", "-00:00", "-0000"].freeze
  # RFC 2822 with the years of RFC 822.
  MAIL = /\A\s*
    (?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*,\s*)?
    (\d{1,2})\s+(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+(\d{2,})\s+
    (\d{2})\s*:\s*(\d{2})(?:\s*:\s*(\d\d))?\s+([+-]\d{4}|UT|GMT|EST|EDT|CST|CDT|MST|MDT|PST|PDT|[A-IK-Z])/ix
  HTTP = /\A\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),\x20(\d{2})\x20(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\x20
    (\d{4})\x20(\d{2}):(\d{2}):(\d{2})\x20GMT\s*\z/ix
  RFC850 = /\A\s*(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday),\x20
    (\d\d)-(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)-(\d\d)\x20(\d\d):(\d\d):(\d\d)\x20GMT\s*\z/ix
  ASCTIME = /\A\s*(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\x20(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\x20
    (\d\d|\x20\d)\x20(\d\d):(\d\d):(\d\d)\x20(\d\d\d\d)\s*\z/ix
  XML = /\A\s*(-?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?\s*\z/ix
  # Those that `new` reads as `xmlschema` does: days that there are, nine decimals at most, a zone that is not west of Greenwich by nothing.
  EVERYDAY_XML = /\A\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)
    T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|(?:\+(?:[01]\d|2[0-3])|-(?:0[1-9]|1\d|2[0-3])):[0-5]\d)\z/x
  MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"].freeze
  private_constant :ZoneOffset, :UTC_ZONES, :MAIL, :HTTP, :RFC850, :ASCTIME, :XML, :EVERYDAY_XML, :MONTHS

  class << self
    # Seconds east of Greenwich, or nil; the names of the local zone are asked for in +year+.
    def zone_offset(zone, year = nil)
      zone = zone.upcase
      if (m = /\A([+-])(\d\d)(:?)(\d\d)(?:\3(\d\d))?\z/.match(zone))
        seconds = m[2].to_i * 3600 + m[4].to_i * 60 + m[5].to_i
        m[1] == "-" ? -seconds : seconds
      elsif zone.match?(/\A[+-]\d\d\z/) then zone.to_i * 3600
      elsif (hours = ZoneOffset[zone]) then hours * 3600
      else local_offset(zone, year || now.year)
      end
    end

    # What Date._parse finds, completed by +now+. A block turns years as they stand into others.
    def parse(date, now = self.now)
      found = Date._parse(date, !block_given?)
      year = found[:year]
      year = yield(year) if year && block_given?
      make_time(date, year, found, now)
    end

    def strptime(date, format, now = self.now)
      found = Date._strptime(date, format)
      raise ArgumentError, "invalid date or strptime format - '#{date}' '#{format}'" unless found
      return from_seconds(found) if found[:seconds]
      year = found[:year]
      year = yield(year) if year && block_given?
      return Date.strptime(date, format).to_time if named_by_week?(found)
      if (found[:wnum0] || found[:wnum1]) && !found[:yday] && !(found[:mon] && found[:mday])
        found[:yday] = Date.strptime(date, format).yday
      end
      make_time(date, year, found, now)
    end

    def rfc2822(date)
      m = MAIL.match(date) or raise ArgumentError, "not RFC 2822 compliant date: #{date.inspect}"
      year = m[3].to_i
      year += year < 50 ? 2000 : 1900 if m[3].size < 4
      in_zone([year, month_number(m[2]), m[1].to_i, m[4].to_i, m[5].to_i, m[6].to_i], m[7])
    end
    alias rfc822 rfc2822

    def httpdate(date)
      if (m = HTTP.match(date)) then utc(m[3].to_i, m[2], m[1].to_i, m[4].to_i, m[5].to_i, m[6].to_i)
      elsif (m = RFC850.match(date))
        year = m[3].to_i
        year += year < 50 ? 2000 : 1900
        utc(year, m[2], m[1].to_i, m[4].to_i, m[5].to_i, m[6].to_i)
      elsif (m = ASCTIME.match(date)) then utc(m[6].to_i, m[1], m[2].to_i, m[3].to_i, m[4].to_i, m[5].to_i)
      else raise ArgumentError, "not RFC 2616 compliant date: #{date.inspect}"
      end
    end

    def xmlschema(time)
      if EVERYDAY_XML.match?(time) && equal?(Time)
        found = new(time)
        return found.utc? ? found : in_process_zone(found, found.utc_offset)
      end
      m = XML.match(time) or raise ArgumentError, "invalid xmlschema format: #{time.inspect}"
      year, month, day, hour, minute, second, fraction, zone = m.captures
      parts = [year.to_i, month.to_i, day.to_i, hour.to_i, minute.to_i, second.to_i]
      parts << Rational(fraction) * 1_000_000 if fraction
      zone ? in_zone(parts, zone) : local(*parts)
    end
    alias iso8601 xmlschema

    private

    def local_offset(zone, year)
      [1, 7].each do |month|
        time = local(year, month, 1)
        return time.utc_offset if time.zone&.upcase == zone
      end
      nil
    end

    def zone_utc?(zone) = UTC_ZONES.include?(zone.upcase)

    # The process's zone serves a fixed offset that it has at the moment.
    def force_zone!(time, zone, offset = nil)
      return time.utc if zone_utc?(zone)
      in_process_zone(time, offset || zone_offset(zone))
    end

    def in_process_zone(time, offset)
      time.localtime
      time.localtime(offset) if offset && offset != time.utc_offset
      time
    end

    # What a clock in UTC shows when one that is +offset+ seconds ahead shows this; a sixtieth second stays one. The gem rss calls it.
    def apply_offset(year, mon, day, hour, min, sec, offset)
      minutes, seconds = offset.divmod(60)
      borrowed = 0
      borrowed, sec = (sec - seconds).divmod(60) if seconds != 0
      hours, min = (min - minutes + borrowed).divmod(60)
      days, hour = (hour + hours).divmod(24)
      # `utc` refuses months that there are not.
      year, mon, day = shifted_day(year, mon, day, days) if days != 0 && mon.between?(1, 12)
      return year, mon, day, hour, min, sec
    end

    # A day past a month's last is the next one's first; one before the first is the last of the month before.
    def shifted_day(year, mon, day, days)
      day += days
      if days > 0 && day > month_days(year, mon) then mon == 12 ? [year + 1, 1, 1] : [year, mon + 1, 1]
      elsif days > 0 || day >= 1 then [year, mon, day]
      elsif mon == 1 then [year - 1, 12, 31]
      else [year, mon - 1, month_days(year, mon - 1)]
      end
    end

    def month_days(year, mon) = Date.new(year, mon, -1).day

    # The moment when the clock of a zone shows this.
    def in_zone(parts, zone)
      return utc(*parts) if zone_utc?(zone)
      offset = zone_offset(zone)
      force_zone!(at_offset(parts, offset), zone, offset)
    end

    # An instance of this class: the difference of a Time of a subclass and a number is a plain Time.
    def at_offset(parts, offset)
      year, mon, day, hour, min, sec, *usec = parts
      utc(*apply_offset(year, mon, day, hour, min, sec, offset), *usec)
    end

    # A plain Time whatever the class, as in CRuby.
    def from_seconds(found)
      seconds = found[:seconds]
      fraction = found[:sec_fraction] || 0
      time = Time.at(seconds < 0 ? seconds - fraction : seconds + fraction)
      force_zone!(time, found[:zone]) if found[:zone]
      time
    end

    # Dates by weeks are Date's business.
    def named_by_week?(found)
      found[:cwyear] && !found[:year] || (found[:cwday] || found[:cweek]) && !(found[:mon] && found[:mday])
    end

    def month_number(name) = MONTHS.index(name.downcase) + 1

    PARTS = [:mon, :mday, :hour, :min, :sec, :sec_fraction].freeze
    private_constant :PARTS

    def make_time(date, year, found, now)
      parts = found.values_at(*PARTS)
      if !year && !found[:yday] && parts.none?
        raise ArgumentError, "no time information in #{date.inspect}"
      end
      zone = found[:zone]
      offset = zone_offset(zone, year || now.year) if zone && (year || now)
      yday = found[:yday]
      if yday || !year
        year, parts = completed(year, parts, yday, clock(now, offset))
      else
        begin_rest(parts)
      end
      offset ||= zone_offset(zone, year) if zone
      parts[5] *= 1_000_000
      return local(year, *parts) unless offset
      force_zone!(at_offset([year, *parts], offset), zone, offset)
    end

    # +now+ as the clock of the text shows it.
    def clock(now, offset)
      return now unless now.respond_to?(:getlocal)
      return now.getlocal unless offset
      now.utc_offset == offset ? now : now.getlocal(offset)
    end

    # What stands before the first known part is that of +now+, what stands behind it begins.
    def completed(year, parts, yday, now)
      if yday
        year ||= now.year
        day = Date.ordinal(year, yday)
        parts = [day.month, day.day, *parts.drop(2)]
      elsif now && !year
        year = now.year
        %i[mon day hour min sec subsec].each_with_index do |name, index|
          break if parts[index]
          parts[index] = now.__send__(name) if now.respond_to?(name)
        end
      end
      [year, begin_rest(parts)]
    end

    def begin_rest(parts)
      parts[0] ||= 1
      parts[1] ||= 1
      2.upto(5) { |index| parts[index] ||= 0 }
      parts
    end
  end

  # The form of mail headers.
  def rfc2822 = strftime("%a, %d %b %Y %T ") << (utc? ? "-0000" : strftime("%z"))
  alias rfc822 rfc2822

  # The form of HTTP headers.
  def httpdate = getutc.strftime("%a, %d %b %Y %T GMT")
end
