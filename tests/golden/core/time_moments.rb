# Moments made of integers, floats and rationals of every size.
ENV["TZ"] = "UTC"

def show(name)
  time = yield
  puts "#{name}: #{time.utc.strftime("%Y-%m-%d %H:%M:%S.%12N")} #{time.to_r} #{time.subsec}"
rescue ArgumentError, TypeError, RangeError => error
  puts "#{name}: #{error.class}: #{error.message}"
end

[0, 1, -1, 1_700_000_000, 2**40, 0.1, -0.1, 0.5, 1.1e9, 1e17, 1r/3, -1r/3, 7r/2, -10**9 - 1r/7,
 (10**12 + 1).to_r / 10**12, (2**70).to_r / 2**60].each do |value|
  show("at #{value}") { Time.at(value) }
  show("+ #{value}") { Time.at(1000, 1, :nsec) + value }
  show("- #{value}") { Time.at(1000, 1, :nsec) - value }
end

[1, -1, 1_500_000, 0.5, 1r/3].each do |sub|
  %i[millisecond usec nsec].each { |unit| show("at 5 #{sub} #{unit}") { Time.at(5, sub, unit) } }
end
show("unit") { Time.at(5, 1, :hour) }
show("sub") { Time.at(5, "1", :usec) }
show("nan") { Time.at(Float::NAN) }

[0, 59, 60, 61, 64, -1, 59.25, 1r/3, "07", "7.5", nil].each do |second|
  show("utc #{second.inspect}") { Time.utc(2024, 2, 29, 23, 59, second) }
  show("new #{second.inspect}") { Time.new(2024, 2, 29, 23, 59, second, "+09:30") }
end
[0, 999_999, 1_000_000, -1, 0.5, 1r/3, "3"].each do |micros|
  show("micros #{micros.inspect}") { Time.utc(2024, 1, 1, 0, 0, 1, micros) }
end
show("offset") { Time.new(2024, 1, 1, 0, 0, 1, 0.5r) }
show("offset") { Time.new(2024, 1, 1, 0, 0, 1/3r, 3600 + 1/3r) }
show("text") { Time.new("2024-01-01 00:00:59.123456789012", precision: 12) }
p Time.at(0, in: "UTC").zone, Time.at(0, in: "+09:00").zone, Time.utc(2024).to_a, Time.utc(2024).zone.encoding, Time.utc(2024).zone.frozen?
