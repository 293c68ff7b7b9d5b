# carat: core
# frozen_string_literal: true

class Date
  # Texts of no fixed format. One kind of date after another is looked for; what was read becomes a space, so that the rest
  # can be read too.
  module Parser
    UNKNOWN = %r{[^-+',./:@[:alnum:]\[\]]+}
    DAY_NAME = %r{\b(#{WEEKDAY})[^-/\d\s]*}i
    # A number is looked for at its first digit alone: a text of digits would be read once for each of them.
    TIME = /(
        (?:(?<!\d)\d+\s*:\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?|(?<!\d)\d+\s*h(?:\s*\d+m?(?:\s*\d+s?)?)?)(?:\s*[ap](?:m\b|\.m\.))?|
        (?<!\d)\d+\s*[ap](?:m\b|\.m\.)
      )
      (?:\s*(
        (?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|
        (?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|
        (?-i:[[:alpha:]]+)(?:\sdst)?\b
      ))?/xi
    TIME_PARTS = /\A(\d+)h?(?:\s*:?\s*(\d+)m?(?:\s*:?\s*(\d+)(?:[,.](\d+))?s?)?)?(?:\s*([ap])(?:m\b|\.m\.))?/i
    ERA = '(c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?'
    EUROPEAN = /('\d+|(?<!\d)\d+)[^-\d\s]*\s*(#{MONTH})[^-\d\s']*(?:\s*#{ERA}\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?/i
    AMERICAN = /\b(#{MONTH})[^-\d\s']*\s*('?\d+)[^-\d\s']*(?:\s*,?\s*#{ERA}\s*('?-?\d+))?/i
    ISO = /('?(?:[-+]|(?<!\d))\d+)-(\d+)-('?-?\d+)/
    JIS = /\b([mtshr])(\d+)\.(\d+)\.(\d+)/i
    VMS = %r{('?(?:-|(?<!\d))\d+)-(#{MONTH})[^-/.]*-('?-?\d+)}i
    VMS_MONTH_FIRST = %r{\b(#{MONTH})[^-/.]*-('?-?\d+)(?:-('?-?\d+))?}i
    SLASHES = %r{('?(?:-|(?<!\d))\d+)/\s*('?\d+)(?:\D\s*('?-?\d+))?}
    DOTS = /('?(?:-|(?<!\d))\d+)\.\s*('?\d+)\.\s*('?-?\d+)/
    WEEK = /\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i
    DAY_OF_WEEK = /-w-(\d)\b/i
    MONTH_AND_DAY = /--(\d{2})?-(\d{2})\b/
    SHORT_MONTH = /--(\d{2})(\d{2})?\b/
    YEAR_AND_YDAY = /\b(\d{2}|\d{4})-(\d{3})\b/
    NOT_YEAR_AND_YDAY = /[,.](\d{2}|\d{4})-\d{3}\b/
    YDAY = /\b-(\d{3})\b/
    NOT_YDAY = /\d-\d{3}\b/
    QUOTED_YEAR = /'(\d+)\b/
    MONTH_NAME = /\b(#{MONTH})\S*/i
    ORDINAL_DAY = /(?<!\d)(\d+)(st|nd|rd|th)\b/i
    DIGITS = /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b|\[[-+]?\d[^\]]*\])?/i
    BEFORE_CHRIST = /\b(bc\b|bce\b|b\.c\.|b\.c\.e\.)/i
    # What most programs write, ISO 8601 or a log's form of it: a date, a time, a zone.
    EVERYDAY = /\A(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?: ?(Z|UTC|[-+]\d\d:?\d\d))?)?\z/
    NUMBER_ALONE = /\A\s*(\d{1,2})\s*\z/

    # Which fields digits without separators are, by their number.
    DATE_DIGITS = {
      2 => {mday: 2}, 4 => {mon: 2, mday: 2}, 6 => {year: 2, mon: 2, mday: 2}, 3 => {yday: 3}, 5 => {year: 2, yday: 3},
      7 => {year: 4, yday: 3}, 8 => {year: 4, mon: 2, mday: 2}, 10 => {year: 4, mon: 2, mday: 2, hour: 2},
      12 => {year: 4, mon: 2, mday: 2, hour: 2, min: 2}, 14 => {year: 4, mon: 2, mday: 2, hour: 2, min: 2, sec: 2}
    }.freeze
    # The same in front of a fraction, from the right.
    TIME_DIGITS = [[:sec, 2], [:min, 2], [:hour, 2], [:mday, 2], [:mon, 2], [:year, 4]].freeze
    private_constant(*constants(false).grep(/[A-Z]\z/))

    class << self
      def parse(text, comp)
        m = EVERYDAY.match(text) or return Search.new(text, comp).fragments
        found = {}
        zone = m[8]
        found[:zone] = zone if zone
        put_time(found, m[4], m[5], m[6], m[7])
        found[:year] = m[1].to_i
        found[:mon] = m[2].to_i
        found[:mday] = m[3].to_i
        found[:offset] = Zone.seconds(zone) if zone
        found
      end
    end

    # One text, from which pieces are taken.
    class Search
      def initialize(text, comp)
        @text = text.gsub(UNKNOWN, " ")
        @found = {}
        # Whether a year of two digits means one near to today, and whether years count backwards.
        @comp = comp
        @bc = false
      end

      def fragments
        day_name if letters?
        time if digits?
        date
        @bc = true if letters? && take(BEFORE_CHRIST)
        number_alone if digits?
        finish
        @found
      end

      private

      def letters? = @text.match?(/[a-z]/i)

      def digits? = @text.match?(/\d/)

      # The match, which becomes a space in the text.
      def take(pattern)
        match = pattern.match(@text) or return
        @text = "#{match.pre_match} #{match.post_match}"
        match
      end

      def day_name
        m = take(DAY_NAME) and @found[:wday] = Parser.__send__(:weekday, m[1])
      end

      def time
        m = take(TIME) or return
        parts = TIME_PARTS.match(m[1]) or return
        hour = parts[1].to_i
        hour = hour % 12 + (parts[5].casecmp?("p") ? 12 : 0) if parts[5]
        @found[:zone] = m[2] if m[2]
        Parser.__send__(:put_time, @found, hour, parts[2], parts[3], parts[4])
      end

      # The first kind that is found.
      def date
        named = letters? && digits?
        return if named && (european || american)
        if digits?
          return if iso || japanese || named && vms || slashes || dots || iso_parts || quoted_year
        end
        return if letters? && month_name
        return unless digits?
        ordinal_day || bare_digits
      end

      def european
        m = take(EUROPEAN) and put(m[4], Parser.__send__(:month, m[2]), m[1], m[3])
      end

      def american
        m = take(AMERICAN) and put(m[4], Parser.__send__(:month, m[1]), m[2], m[3])
      end

      def iso
        m = take(ISO) and put(m[1], m[2], m[3])
      end

      def japanese
        m = take(JIS) or return
        @found[:year] = m[2].to_i + ERAS[m[1].downcase]
        @found[:mon] = m[3].to_i
        @found[:mday] = m[4].to_i
      end

      def vms
        if (m = take(VMS)) then put(m[3], Parser.__send__(:month, m[2]), m[1])
        elsif (m = take(VMS_MONTH_FIRST)) then put(m[3], Parser.__send__(:month, m[1]), m[2])
        end
      end

      def slashes
        m = take(SLASHES) and put(m[1], m[2], m[3])
      end

      def dots
        m = take(DOTS) and put(m[1], m[2], m[3])
      end

      def iso_parts = week || day_of_week || month_and_day || short_month || year_and_yday || yday

      def week
        m = take(WEEK) or return
        @found[:cwyear] = m[1].to_i if m[1]
        @found[:cweek] = m[2].to_i
        @found[:cwday] = m[3].to_i if m[3]
        true
      end

      def day_of_week
        m = take(DAY_OF_WEEK) and @found[:cwday] = m[1].to_i
      end

      def month_and_day
        m = take(MONTH_AND_DAY) or return
        @found[:mon] = m[1].to_i if m[1]
        @found[:mday] = m[2].to_i
      end

      def short_month
        m = take(SHORT_MONTH) or return
        @found[:mon] = m[1].to_i
        @found[:mday] = m[2].to_i if m[2]
        true
      end

      def year_and_yday
        return if @text.match?(NOT_YEAR_AND_YDAY)
        m = take(YEAR_AND_YDAY) or return
        @found[:year] = m[1].to_i
        @found[:yday] = m[2].to_i
      end

      def yday
        return if @text.match?(NOT_YDAY)
        m = take(YDAY) and @found[:yday] = m[1].to_i
      end

      def quoted_year
        m = take(QUOTED_YEAR) and @found[:year] = m[1].to_i
      end

      def month_name
        m = take(MONTH_NAME) and @found[:mon] = Parser.__send__(:month, m[1])
      end

      def ordinal_day
        m = take(ORDINAL_DAY) and @found[:mday] = m[1].to_i
      end

      # Year, month and day in an order to be found out: a year has an apostrophe or more than two digits.
      def put(year, month, day, era = nil)
        month = month.to_s
        year, month, day = day, year, month if year && !day
        unless year
          year, day = day, nil if day && day.size > 2
          year, day = day, nil if day&.start_with?("'")
        end
        year, day = day, year[/\d+/] if year && year.match?(/\d\D/)
        year, month, day = month, day, year if month && (month.start_with?("'") || month.size > 2)
        year, day = day, year if day && (day.start_with?("'") || day.size > 2)
        put_year(year) if year
        @bc = true if era&.match?(/\Ab/i)
        @found[:mon] = month[/\d+/].to_i if month
        @found[:mday] = day[/\d+/].to_i if day
        true
      end

      def put_year(year)
        number = year[/[-+]?\d+/]
        @comp = false if number.start_with?("-", "+") || number.size > 2
        @found[:year] = number.to_i
      end

      def bare_digits
        m = take(DIGITS) or return
        from_time = m[3].nil? && !m[4].nil?
        from_time ? put_time_digits(m[1], m[2]) : put_date_digits(m[1], m[2])
        put_clock_digits(m[3], m[4]) if m[3]
        @found[:sec_fraction] = Parser.__send__(:fraction, m[4]) if m[4]
        put_bracketed_zone(m[5]) if m[5]
        true
      end

      def put_date_digits(sign, digits)
        fields = DATE_DIGITS[digits.size] or return
        position = 0
        fields.each do |name, width|
          @found[name] = digits[position, width].to_i
          position += width
        end
        @found[:year] = -@found[:year] if sign == "-" && @found[:year]
        @comp = false if digits.size >= 8
      end

      def put_time_digits(sign, digits)
        last = digits.size
        TIME_DIGITS.each do |name, width|
          break if last == 0
          first = [last - width, 0].max
          @found[name] = digits[first...last].to_i
          last = first
        end
        @found[:year] = -@found[:year] if sign == "-" && @found[:year]
        @comp = false if digits.size == 14
      end

      # Behind a date, hours come first; in front of a fraction, seconds come last.
      def put_clock_digits(digits, part)
        return if digits.size.odd?
        numbers = digits.scan(/../).map(&:to_i)
        names = part ? [:hour, :min, :sec].last(numbers.size) : [:hour, :min, :sec]
        names.zip(numbers) { |name, number| @found[name] = number if number }
      end

      # "[-5:EST]"
      def put_bracketed_zone(zone)
        @found[:zone] = zone
        return unless zone.start_with?("[")
        offset, name = zone[1..-2].split(":", 2)
        @found[:zone] = name || offset
        offset = "+#{offset}" if offset.match?(/\A\d/)
        @found[:offset] = Zone.seconds(offset)
      end

      # A day beside a time, or an hour beside a day.
      def number_alone
        m = NUMBER_ALONE.match(@text) or return
        number = m[1].to_i
        if @found[:hour] && !@found[:mday]
          @found[:mday] = number if number.between?(1, 31)
        elsif @found[:mday] && !@found[:hour]
          @found[:hour] = number if number.between?(0, 24)
        end
      end

      def finish
        [:cwyear, :year].each do |name|
          year = @found[name] or next
          year = 1 - year if @bc
          year = Parser.__send__(:near_year, year) if @comp && year.between?(0, 99)
          @found[name] = year
        end
        zone = @found[:zone]
        @found[:offset] = Zone.seconds(zone) if zone && !@found.key?(:offset)
      end
    end
    private_constant :Search
  end
end
