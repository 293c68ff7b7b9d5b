# Forms of ISO 8601 and their neighbours, and formats whose parts belong together.
require "date"
require "time"

def show
  p(yield)
rescue ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end

# A date whose text names no year depends on today's: such texts are only taken apart here.
def names_year?(parts) = %i[year cwyear seconds].any? { |part| parts.key?(part) }

texts = %w[2024-02-29 2024-02-29T01:02:03Z 2024-02-29t01:02:03z 2024-02-29T01:02 2024-02-29T01:02:03.25+09:00
           2024-02-29T01:02:03,5-0330 2024-02-29T01:02:03+09 2024-02-30 2024-13-01 2024-02-29T25:00:00Z 24-02-29 -24-02-29
           +2024-02-29 --02-29 -02-29 2024-02 --02 ---29 2024-060 -060 24-060 2024-w09-4 -w09-4 -w-4 24-w09-4 20240229 240229
           20240229T010203Z 20240229T0102 --0229 ---29 2024060 24060 -060 2024w094 24w094 -w094 -w-4 01:02:03 01:02 010203Z
           01:02:03.5+01:00 2024-02-29T 2024-02-29Z 2024-02-29T01 12024-02-29] + ["", " 2024-02-29 ", "2024-02-29\n", "x"]
texts.each do |text|
  %i[_iso8601 _rfc3339 _xmlschema _jisx0301].each { |name| show { Date.__send__(name, text) } }
  next unless Date._iso8601(text).then { |parts| parts.empty? || names_year?(parts) }
  show { Date.iso8601(text) }
  show { DateTime.iso8601(text) }
end

[["2024-02-29", "%Y-%m-%d"], ["20 24", "%C %y"], ["24 20", "%y %C"], ["69", "%y"], ["68", "%y"], ["-5", "%C"], ["11 PM", "%I %p"],
 ["12 am", "%I %P"], ["pm", "%p"], ["1.5", "%s.%N"], ["1500", "%Q"], ["-1500", "%Q"], ["0.25", "%S.%L"], ["+09:00 x", "%z"],
 ["JST", "%Z"], ["2024-02-29 rest", "%F"], ["2024-02-29T01:02:03Z tail", "%FT%T%z"], ["Thu", "%a"], ["nope", "%F"],
 ["2024 w09", "%G w%V"], ["99", "%g"]].each do |text, format|
  show { Date._strptime(text, format) }
  next unless Date._strptime(text, format).then { |parts| parts.nil? || names_year?(parts) }
  show { Date.strptime(text, format) }
  show { DateTime.strptime(text, format) }
end
# What they are completed to.
today = Date.today
{"--02-28" => Date.new(today.year, 2, 28), "--0228" => Date.new(today.year, 2, 28), "-060" => Date.ordinal(today.year, 60),
 "---28" => Date.new(today.year, today.month, 28), "-w09-4" => Date.commercial(today.cwyear, 9, 4),
 "-w-4" => Date.commercial(today.cwyear, today.cweek, 4)}.each { |text, date| p [text, Date.iso8601(text) == date] }
{"01:02:03" => [1, 2, 3], "01:02" => [1, 2, 0], "010203Z" => [1, 2, 3]}.each do |text, time|
  p [text, DateTime.iso8601(text) == DateTime.new(today.year, today.month, today.day, *time)]
end
p Date.strptime("Thu", "%a") == today - today.wday + 4
p DateTime.strptime("11 PM", "%I %p") == DateTime.new(today.year, today.month, today.day, 23)

show { Date._strptime("2024", "%Y".encode("UTF-16LE")) }
show { Date.strptime("2024-02-29T99:99", "%Y-%m-%dT%M:%H") }

%w[2024-02-29T01:02:03Z 2024-02-29T01:02:03+00:00 2024-02-29T01:02:03-00:00 2024-02-29T01:02:60Z 2024-02-29T24:00:00Z
   2024-02-29T01:02:03.5z 2024-02-29T01:02:03.123456789123+0900 -2024-02-29T01:02:03+09 2024-02-29T01:02:03UTC].each do |text|
  show { Time.iso8601(text).then { |time| [time, time.utc?, time.utc_offset, time.subsec] } }
end
