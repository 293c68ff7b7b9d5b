# Times from texts, and in the formats of mail and HTTP.
require "time"

ENV["TZ"] = "UTC"
NOW = Time.utc(2010, 8, 7, 6, 5, 4.5r)

def show
  time = yield
  puts "#{time.inspect} #{time.utc_offset} #{time.utc?} #{time.zone.inspect}"
rescue => error
  puts "#{error.class}: #{error.message}"
end

["2001-02-03", "2001-02-03T04:05:06+09:00", "2001-02-03 04:05:06 EST", "10:20", "10:20:30.25 Z", "Feb 3", "3rd", "2001-034",
 "Thu Nov 29 14:33:20 2001 GMT", "12:13:14 +05:30", "Sat, 03 Feb 2001 04:05:06 -0000", "20010203040506", "99-1-2", "", "xyz",
 "2001-02-30", "2001-13-01", "10:61", "2001-02-03T04:05:06.123456789123+00:00", "24:00", "Aug 31 PST 10:00"].each do |text|
  show { Time.parse(text, NOW) }
end
show { Time.parse("01-02-03 04:05") { |year| year + 1800 } }
[["2001-02-03", "%Y-%m-%d"], ["981173106.5", "%s.%N"], ["981173106 +09:00", "%s %z"], ["04:05", "%H:%M"], ["2001 034", "%Y %j"],
 ["2001-W05-6", "%G-W%V-%u"], ["2001 05 6", "%Y %U %w"], ["x", "%Y"], ["01/02/03", "%D"], ["2000-01-02T03:04:05Z", "%FT%T%Z"],
 ["91/5/18 4:13:00", "%Y/%m/%d %T"], ["10 pm", "%I %p"], ["1500", "%Q"]].each do |text, format|
  show { Time.strptime(text, format, NOW) }
end
show { Time.strptime("91/5/18", "%Y/%m/%d") { |year| year + 1900 } }
["Wed, 05 Oct 2011 22:26:12 -0400", "5 Oct 11 22:26 GMT", "Wed, 5 Oct 101 22:26:12 A", "05 Oct 2011", "Fri, 21 Nov 1997 09:55:06 -0000"].each do |text|
  show { Time.rfc2822(text) }
end
["Thu, 06 Oct 2011 02:26:12 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 6 Nov 1994"].each do |text|
  show { Time.httpdate(text) }
end
["2011-10-05T22:26:12-04:00", "2011-10-05T22:26:12Z", "2011-10-05T22:26:12.0625", "2011-10-05", "2011-10-05Z", "2011-10-05+09:00",
 "2011-10-05T22", "20111005T222612Z", "-0001-01-01T00:00:00Z", "2011-10-05t22:26:12+0900"].each do |text|
  show { Time.xmlschema(text) }
end
time = Time.new(2011, 10, 5, 22, 26, 12.5r, "-04:00")
puts time.rfc2822, time.httpdate, time.iso8601(2), time.xmlschema, time.utc.rfc822, time.utc.xmlschema(4)
p Time.zone_offset("EST"), Time.zone_offset("+0930"), Time.zone_offset("-05:30:15"), Time.zone_offset("nowhere"), Time.zone_offset("utc")
p time.to_date, time.to_datetime, time.to_time
