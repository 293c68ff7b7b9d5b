# Methods of Time's subclasses that read texts make instances of the subclass.
require "time"

ENV["TZ"] = "UTC"

class Stamp < Time
  def self.parse(*) = super
end

puts [
  Stamp.parse("2020-01-02 10:20:30.5+0000"), Stamp.parse("2020-01-02 10:20 UTC"), Stamp.parse("2020-01-02 10:20"),
  Stamp.iso8601("2020-01-02T10:20:30Z"), Stamp.iso8601("2020-01-02T10:20:30+01:00"), Stamp.iso8601("2020-01-02T10:20:30"),
  Stamp.strptime("2020", "%Y"), Stamp.strptime("2020-01-02 +0100", "%Y-%m-%d %z"), Stamp.strptime("1 +0100", "%s %z"),
  Stamp.rfc2822("Wed, 05 Oct 2011 22:26:12 -0400"), Stamp.httpdate("Thu, 06 Oct 2011 02:26:12 GMT")
].map { |time| "#{time.class} #{time.inspect}" }

# The offset may lead to another day, month or year; days that there are not are taken as they come.
["2020-02-28T23:30:00-01:00", "2020-02-29T00:30:00+01:00", "2020-12-31T23:59:60-05:30", "2020-01-01T00:30:00+01:00",
 "2020-13-01T23:30:00-05:00", "2020-00-10T00:30:00+01:00", "2020-01-45T00:30:00+01:00", "2020-01-45T23:30:00-01:00",
 "2020-01-00T00:30:00+01:00", "2020-01-00T23:30:00-01:00", "2020-02-30T10:00:00+01:00"].each do |text|
  puts "#{text} #{Time.iso8601(text).inspect} #{Time.parse(text).getutc.inspect}"
rescue ArgumentError => error
  puts "#{text} #{error.class}: #{error.message}"
end
