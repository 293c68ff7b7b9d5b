# Time.new from strings and parts, Time.at, offsets and zone objects: what they make and what they refuse.
def try
  r = yield
  puts r.inspect
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end
["2000", "2000-1", "2000-01", "2000-01-02", "2000-01-02 ", "2000-01-02 03", "2000-01-02 03:04", "2000-01-02 03:04:05", "2000-01-02T03:04:05Z", "2000-01-02 03:04:05.5", "2000-01-02 03:04:05.", "2000-01-02 03:04:05.é",
"2000-01-02 03:04:05.123456789123 +09:00", "2000-01-02 03:04:05 +9", "2000-01-02 03:04:05  +09:00", "2000-01-02 03:04:05 UTC", "2000-01-02 03:04:05 utc", "2000-01-02 03:04:05 J", "2000-01-02 03:04:05 -00:00","2000-01-02 03:04:05 +24:00", "2000-01-02 03:04:05 +23:60",
"2000-01-02 03.5", "2000-01-02 03:04.5", "2000-01-02 24:00:00", "2000-01-02 24:00:01", "2000-01-02 25:00:00", "2000-13-02 00:00:00","2000-00-02 00:00:00", "2000-01-32 00:00:00","2000-01-00 00:00:00", "2000-01-02 00:60:00","2000-01-02 00:00:60", "2000-01-02 00:00:61",
"200", "", "a\nb", " 2000", "2000 ", "-2000-01-02 00:00:00", "+2000-01-02 00:00:00", "12345-01-02 00:00:00", "2000x", "2000-01-02x", "2000-01-02 x", "2000-01-02 03:04:05 +09:00 abc", "2000-01-02 03:04:05abc", "2000_1", "20_00", "2000/01/02 03:04:05", "2000-02-30 00:00:00", "2000-01-02T03:04:05+09", "2000 +09:00","2000-01-02\t03:04:05", "2000-012-25 00:56:17 +0900","2020-2-25 00:56:17 +0900", "2020-12-215 00:56:17 +0900", "2020-12-25 000:56:17 +0900", "2020-12-25 00:516:17", "2020-12-25 00:5","2020-1é-25", "2020-12-25 00:56:17é", "20201225", "20201225T000000Z"].each { |s| print s.inspect, " => "; try { Time.new(s, in: "+01:00") } }
try { Time.new("2000-01-02 03:04:05.123456", precision: 3, in: "UTC") }
try { Time.new("2000-01-02 03:04:05.123456", precision: 0, in: "UTC") }
try { Time.new("2000-01-02 03:04:05.123456", precision: "x", in: "UTC") }
try { Time.new("2000-01-02 03:04:05.123456", precision: nil, in: "UTC").subsec }
try { Time.new("2000-01-02 03:04:05.12345678912", precision: nil, in: "UTC").subsec }
try { Time.new("2000-01-02 03:04:05.123456", precision: -1, in: "UTC") }
try { Time.new(nil) }
try { Time.new(nil, 1) }
try { Time.utc(nil) }
try { Time.utc(nil,1) }
try { Time.local(nil) }
try { Time.new(2000, 13) }
try { Time.new(2000, "x") }
try { Time.new(2000, "012", in: "UTC") }
try { Time.new(2000, "1_2", in: "UTC") }
try { Time.new(2000, 1, 32) }
try { Time.new(2000, 1, 64) }
try { Time.new(2000, 1, -1) }
try { Time.new(2000, 1, 0) }
try { Time.new(2000, 0, 1) }
try { Time.new(2000, 1, 1, 25) }
try { Time.new(2000, 1, 1, 24, 1) }
try { Time.new(2000, 1, 1, 24, 0, in: "UTC") }
try { Time.new(2000, 1, 1, 0, 60) }
try { Time.new(2000, 1, 1, 0, 0, 61) }
try { Time.new(2000, 1, 1, 0, 0, -1) }
try { Time.new(2000, 1, 1, 0, 0, "x") }
try { Time.new(2000, 1, 1, 0, 0, "1.5", in: "UTC") }
try { Time.new(2000, 1, 1, 0, 0, :a) }
try { Time.new("x", 1) }
try { Time.new("20x", 1) }
try { Time.new(2000.7, 1.2, in: "UTC") }
try { Time.new(:a) }
try { Time.utc(2000, 1, 1, 20, 15, 1, 1000000) }
try { Time.utc(2000, 1, 1, 20, 15, 1, -1) }
try { Time.utc(2000, 1, 1, 20, 15, 1, 999999.5) }
try { Time.utc(2000, 1, 1, 20, 15, 60, 5) }
try { Time.utc(2000, 1, 1, 20, 15, 61) }
try { Time.utc(1,2,3,4,5,6,7,8,9) }
try { Time.utc }
try { Time.new(1,2,3,4,5,6,7,8) }
try { Time.new(2000, 1, 1, 0, 0, 0, "+09:00", in: "+09:00") }
try { Time.new(2000, 1, 1, 0, 0, 0, nil, in: "+09:00") }
try { Time.new(2000, 1, 1, 0, 0, 0, 1.5).utc_offset }
try { Time.new(2000, 1, 1, 0, 0, 0, 1.0).utc_offset }
try { Time.new(2000, 1, 1, 0, 0, 0, 1r).utc_offset }
try { Time.new(2000, 1, 1, 0, 0, 0, 86400) }
try { Time.new(2000, 1, 1, 0, 0, 0, Object.new) }
try { Time.new(2000, 1, 1, 0, 0, 0, :utc) }
try { Time.new(2000, 1, 1, 0, 0, 0, "x") }
try { Time.new(2000, 1, 1, 0, 0, 0, "é") }
try { Time.now(in: nil).class }
try { Time.now(foo: 1) }
try { Time.at(0, in: "+09:00:01") }
try { Time.at(0, in: "Z") }
try { Time.at(0, in: "a") }
try { Time.at(0, in: "+0900") }
try { Time.at(0, in: "+09") }
try { Time.at(0, in: "J") }
try { Time.at(0, in: Object.new) }
try { Time.at(0, 1, :foo) }
try { Time.at(0, 1, 5) }
try { Time.at(0, nil) }
try { Time.at(nil) }
try { Time.at("0") }
try { Time.at(Time.at(0), 5, in: "UTC") }
try { Time.at(0, 1500, :millisecond, in: "UTC") }
try { Time.at(0, 1.5, :nsec, in: "UTC") }
try { Time.at(0.1, in: "UTC") }
try { Time.at(Float::NAN) }
try { Time.at(Float::INFINITY) }
try { Time.utc(2000).localtime("+09:00:30").strftime("%z %:z %::z %:::z") }
try { Time.utc(2000).getlocal(Rational(7201, 2)).inspect }
try { Time.utc(2000).getlocal(Rational(7201, 2)).strftime("%N %S %L %z %::z %Z|") }
try { Time.utc(2000).getlocal(Rational(7201, 2)).subsec }
try { Time.utc(2000).getlocal(Rational(7201, 2)).to_a }
try { Time.utc(2000).getlocal(Rational(7201, 2)).sec }
try { Time.utc(2000).round(-1) }
try { Time.utc(2000, 1, 1, 0, 0, Rational(12345, 1000)).round("x") }
try { Time.utc(2000, 1, 1, 0, 0, Rational(12345, 1000)).round(1.9).subsec }
try { Time.utc(2000) + Time.utc(2000) }
try { Time.utc(2000) + nil }
try { Time.utc(2000) + "1" }
try { Time.utc(2000) - "1" }
try { Time.utc(2000) <=> 1 }
try { Time.utc(2000) < 1 }
try { Time.utc(2000) == 1 }
try { Time.utc(2000).deconstruct_keys([:year, :zone, :x]) }
try { Time.utc(2000).deconstruct_keys(nil) }
try { Time.utc(2000).deconstruct_keys([:x]) }
try { Time.utc(2000).deconstruct_keys([:x, :year]) }
try { Time.utc(2000).deconstruct_keys(1) }
try { Time.utc(2000).freeze.localtime }
try { Time.utc(2000).freeze.utc }
try { Time.utc(2000).xmlschema(-1) }
try { Time.utc(2000).xmlschema(3) }
try { Time.utc(-1).xmlschema }
try { Time.utc(10000).iso8601 }
try { Time.new(2000, 1, 1, 0, 0, 0, "+09:00:30").xmlschema }
try { Time.utc(2000).strftime("%10Y|%-d|%^a|%#p|%010e|%_5m|%:z|%E|%Ec|%") }
try { Time.utc(2000).strftime("%é %q %") }
try { Time.utc(2000).strftime("%10000000000Y") }
try { Time.utc(2000).strftime(nil) }
try { Time.utc(2000).strftime("%Y".encode("UTF-16LE")) }

# A zone is an object that converts both ways.
class Eastern
  def initialize(offset) = @offset = offset
  def local_to_utc(time) = time - @offset
  def utc_to_local(time) = time + @offset
  def dst?(time) = time.month == 7
  def name = "Eastern"
  def inspect = "#<Eastern>"
end

zone = Eastern.new(19_800)
time = Time.new(2000, 7, 1, 12, 0, 0, zone)
try { [time, time.zone, time.utc_offset, time.dst?, time.to_i, time.strftime("%Z %z")] }
try { [time + 86_400 * 40, (time + 86_400 * 40).dst?, (time - 1).zone] }
try { Time.at(0, in: zone) }
try { Time.utc(2000).getlocal(zone) }
try { Time.utc(2000).localtime(zone).zone }
try { Time.new("2000-01-02 03:04:05", in: zone) }
try { [Marshal.load(Marshal.dump(time)), Marshal.load(Marshal.dump(time)).zone] }
try { Time.new(2000, 1, 1, 0, 0, 0, Eastern.new(90_000)) }
try { time.round.zone.equal?(zone) && time.dup.zone.equal?(zone) && time.getlocal.zone.equal?(zone) }
Named = Class.new(Time) { def self.find_timezone(name) = name == "E" ? Eastern.new(3600) : nil }
try { Named.new(2000, 1, 1, 0, 0, 0, "E").utc_offset }
try { Named.at(0, in: "X") }
one_way = Object.new
def one_way.utc_to_local(time) = time.to_i + 60
def one_way.inspect = "#<one way>"
try { Time.at(0, in: one_way) }
try { Time.new(2000, in: one_way) }
