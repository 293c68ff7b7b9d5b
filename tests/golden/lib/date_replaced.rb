# Methods of Date that a program replaces (as those do that stop the clock) are not asked by others, nor by DateTime's.
require "date"

class << Date
  %i[parse strptime iso8601 rfc3339 xmlschema rfc2822 httpdate jisx0301].each do |name|
    alias_method :"plain_#{name}", name
    define_method(name) { |*| raise "#{name} was called" }
  end
  %i[_parse _strptime _iso8601 _rfc3339 _xmlschema _rfc2822 _httpdate _jisx0301].each do |name|
    define_method(name) { |*| raise "#{name} was called" }
  end
end

class Date
  def strftime(*) = raise("strftime was called")
end

class DateTime
  def iso8601(*) = raise("iso8601 was called")
end

p DateTime.strptime("20130101T101010", "%Y%m%dT%H%M%S"), DateTime.parse("3 Feb 2001 4:05"), DateTime.iso8601("2001-02-03T04:05:06+07:00")
p DateTime.rfc3339("2001-02-03T04:05:06+07:00"), DateTime.xmlschema("2001-02-03"), DateTime.rfc2822("Sat, 3 Feb 2001 04:05:06 +0700")
p DateTime.httpdate("Sat, 03 Feb 2001 04:05:06 GMT"), DateTime.jisx0301("H13.02.03T04:05:06+07:00"), DateTime.strptime, DateTime.parse
p Date.plain_parse("3 Feb 2001"), Date.plain_strptime("2001-34", "%Y-%j"), Date.plain_iso8601("2001-W05-6"), Date.plain_rfc3339("2001-02-03T04:05:06+07:00")
p Date.plain_xmlschema("2001-02"), Date.plain_rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"), Date.plain_httpdate("Sat, 03 Feb 2001 00:00:00 GMT"), Date.plain_jisx0301("H13.02.03")
date, moment = Date.new(2001, 2, 3), DateTime.new(2001, 2, 3, 4, 5, 6)
p date.to_s, date.iso8601, date.asctime, date.rfc2822, date.httpdate, date.jisx0301, date.rfc3339
p moment.to_s, moment.rfc3339, moment.strftime("%F"), moment.xmlschema(2), moment.jisx0301(1), moment.asctime
