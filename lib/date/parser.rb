# carat: core
# frozen_string_literal: true

class Date
  # Finds dates and times in texts, by name: `{year: 2001, mon: 2}`.
  module Parser
    MONTH = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec".freeze
    WEEKDAY = "sun|mon|tue|wed|thu|fri|sat".freeze
    MONTHS = MONTH.split("|").each_with_index.to_h { |name, index| [name, index + 1] }.freeze
    WEEKDAYS = WEEKDAY.split("|").each_with_index.to_h.freeze
    # Years before which their era's begins, by its letter.
    ERAS = {"m" => 1867, "t" => 1911, "s" => 1925, "h" => 1988, "r" => 2018}.freeze
    private_constant :MONTH, :WEEKDAY, :MONTHS, :WEEKDAYS, :ERAS

    class << self
      private

      def month(name) = MONTHS[name[0, 3].downcase]

      def weekday(name) = WEEKDAYS[name[0, 3].downcase]

      def fraction(digits) = Rational(digits.to_i, 10**digits.size)

      def put_zone(found, zone)
        return unless zone
        found[:zone] = zone
        found[:offset] = Zone.seconds(zone)
      end

      # Hours, minutes and seconds as far as they are there.
      def put_time(found, hour, minute, second, part = nil)
        found[:hour] = hour.to_i if hour
        found[:min] = minute.to_i if minute
        found[:sec] = second.to_i if second
        found[:sec_fraction] = fraction(part) if part
      end

      # A year of two digits is one of 1969 to 2068.
      def full_year(digits) = digits.size < 4 ? near_year(digits.to_i) : digits.to_i

      def near_year(year) = year >= 69 ? year + 1900 : year + 2000
    end
  end
  private_constant :Parser
end

require "date/parser/free"
require "date/parser/standards"
