# Dates and times as most programs write them, and what is only almost so.
require "time"

dates = %w[2020-01-02 2020-13-40 99-01-02 2020-1-2]
times = ["", "T03:04:05", " 03:04:05", "T03:04", "T03", " 3:04:05", "T03:04:05.25", "T03:04:05,125", "T24:00:00", "T03:04:05.", "t03:04:05", "  03:04:05"]
zones = ["", "Z", " UTC", "+0900", "-05:30", "+09", " GMT", "z", "+09:00:01", "+9999"]
dates.each { |date| times.each { |time| zones.each { |zone| puts "#{date + time + zone}: #{Date._parse(date + time + zone).to_a}" } } }

%w[2020-01-02T03:04:05Z 2020-06-02T03:04:05+02:00 2020-06-02T03:04:05.5-0700].each { |text| p Time.parse(text), Time.parse(text).subsec, DateTime.parse(text), Date.parse(text) }
p Date._parse("2020-01-02", false), Date._parse("20-01-02", false), Date._parse("2020-01-02T03:04:05Z ".strip, limit: 20)
begin
  Date._parse("2020-01-02T03:04:05Z", limit: 19)
rescue ArgumentError => error
  puts error.message
end
now = Time.utc(2001, 2, 3, 4, 5, 6)
["10:11", "Mar", "12 Mar", "2005", "10:11 +0900", "2005-060", "Sat"].each { |text| p (Time.parse(text, now) rescue $!.message) }
p Time.strptime("05/Mar/2021:10:11:12 +0000", "%d/%b/%Y:%H:%M:%S %z"), Time.strptime("2021 -0330", "%Y %z"), Time.strptime("1 +1234", "%S %z", now).utc_offset
["+0900", "-0930", "+09:30", "-00:30", "+2460", "+9", "+123", "+12345", "+123456", "+24:00", "+23:60"].each { |zone| p [zone, Date._parse("10:00 #{zone}")[:offset], Date._strptime(zone, "%z")] }
