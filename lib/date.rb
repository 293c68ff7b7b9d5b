# carat: core
# frozen_string_literal: true

# Days of the calendar, and moments on them.
#
# A date is the number of its day in Greenwich, counted from 4713 BC, and the day on which its calendar went over from Julian
# to Gregorian. One that has a time of day (what DateTime makes, or a sum with a fraction) adds seconds, nanoseconds and the
# offset of its clock; others do without these fields. Year, month and day are found when somebody asks and then remembered.
class Date
  include Comparable

  class Error < ArgumentError
  end

  VERSION = "3.5.1".freeze

  ITALY = 2_299_161
  ENGLAND = 2_361_222
  JULIAN = Float::INFINITY
  GREGORIAN = -Float::INFINITY

  names = ->(list) { list.map { |name| name&.encode(Encoding::US_ASCII).freeze }.freeze }
  MONTHNAMES = names[[nil, "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                      "November", "December"]]
  ABBR_MONTHNAMES = names[[nil, "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]]
  DAYNAMES = names[["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]]
  ABBR_DAYNAMES = names[["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]]

  # The Julian day of 1970-01-01, and what a day and a second hold.
  EPOCH_JD = 2_440_588
  DAY_SECONDS = 86_400
  SECOND_NANOSECONDS = 1_000_000_000
  # The default day of reform, as a Float like all of them.
  REFORM = ITALY.to_f
  private_constant :EPOCH_JD, :DAY_SECONDS, :SECOND_NANOSECONDS, :REFORM

  autoload :Parser, "date/parser"
  autoload :Strptime, "date/strptime"
  autoload :Fragments, "date/fragments"
  autoload :Zone, "date/zone"
  private_constant :Parser, :Strptime, :Fragments, :Zone
end

require "date/calendar"
require "date/infinity"
require "date/making"
require "date/fields"
require "date/arithmetic"
require "date/reading"
require "date/writing"
require "date/datetime"
require "date/conversions"
