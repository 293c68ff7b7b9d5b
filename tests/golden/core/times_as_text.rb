# Times in their usual form, with every kind of clock, year and fraction.
times = [
  Time.utc(2020, 1, 2, 3, 4, 5), Time.utc(2020, 12, 31, 23, 59, 59, 123_456.789r), Time.utc(0, 1, 1), Time.utc(9999, 12, 31),
  Time.utc(10_000, 1, 1), Time.utc(-1, 2, 3), Time.utc(999, 2, 3), Time.utc(10**20, 1, 1), Time.at(0, 1, :nsec).utc,
  Time.new(2020, 1, 2, 3, 4, 5, "+09:00"), Time.new(2020, 1, 2, 3, 4, 5, "-03:30"), Time.new(2020, 1, 2, 3, 4, 5, "+00:00"),
  Time.new(2020, 1, 2, 3, 4, 5, "+01:02:03"), Time.new(2020, 1, 2, 3, 4, 5, -30), Time.new(2020, 1, 2, 3, 4, 5, "-00:00"),
  Time.new(2020, 1, 2, 3, 4, 5.5, 86_399), Time.at(1r / 3).utc, Time.at(-1.5).utc, Time.utc(2016, 12, 31, 23, 59, 60),
]
times.each do |time|
  p time.to_s, time.xmlschema, time.iso8601(1), time.iso8601(3), time.xmlschema(9), time.iso8601(10), time.iso8601(0)
  p time.to_s.encoding, time.xmlschema.encoding, time.xmlschema(12).encoding
end
p Time.utc(2020).iso8601(-1), Time.utc(2020).xmlschema(40)
p Time.utc(2020).iso8601(nil) rescue p $!.class
p Class.new(Time).utc(2020, 2, 29).iso8601, Time.utc(2020).freeze.to_s
class Zone
  def local_to_utc(time) = time - 3600
  def utc_to_local(time) = time + 3600
end
p Time.new(2020, 1, 2, 3, 4, 5, Zone.new).iso8601(2), Time.new(2020, 1, 2, 3, 4, 5, in: Zone.new).to_s
text = Time.utc(2020).iso8601
text << "!"
p text, Time.utc(2020).iso8601.frozen?
