# Time.xmlschema reads everyday texts in another way than those at the edges.
require "time"
texts = ["2021-08-23T09:57:02+09:00", "2021-08-23T09:57:02Z", "2021-08-23T09:57:02z", " 2021-08-23t09:57:02Z ", "2021-08-23T09:57:02",
  "2021-08-23T09:57:02.5+09:00", "2021-08-23T09:57:02.123456789Z", "2021-08-23T09:57:02.1234567891Z", "2021-08-23T09:57:02.-1Z",
  "2021-02-28T23:59:59-08:00", "2021-02-29T00:00:00-08:00", "2020-02-29T00:00:00-08:00", "2021-04-31T00:00:00Z", "2021-12-31T00:00:00+00:00",
  "2021-08-23T24:00:00Z", "2021-08-23T09:57:60Z", "2021-13-23T09:57:02Z", "2021-00-23T09:57:02Z", "2021-08-00T09:57:02Z",
  "2021-08-23T09:57:02-00:00", "2021-08-23T09:57:02-00:30", "2021-08-23T09:57:02+0900", "2021-08-23T09:57:02+09", "2021-08-23T09:57:02+24:00",
  "-2021-08-23T09:57:02Z", "20210-08-23T09:57:02Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999+14:00", "2021-08-23 09:57:02Z",
  "2021-08-23T09:57:02Z\n", "2021-08-23T09:57Z", "", "x"]
["UTC"].each do |zone|
  ENV["TZ"] = zone
  texts.each do |text|
    time = Time.xmlschema(text)
    p [text, time, time.utc?, time.zone, time.utc_offset, time.subsec, time.class]
  rescue => e
    p [text, e.class, e.message]
  end
  p Time.iso8601("2021-01-01T00:00:00-05:00").dst?, Time.zone_offset("+01:30"), Time.zone_offset("EST"), Time.zone_offset("nowhere")
end
sub = Class.new(Time)
p sub.xmlschema("2021-08-23T09:57:02+09:00").class == sub, sub.xmlschema("2021-08-23T09:57:02Z").class == sub
p (Time.xmlschema(nil) rescue $!.class), (Time.xmlschema(:x) rescue $!.class)
