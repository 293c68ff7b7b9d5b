# Sums, differences and order of times, on both sides of what 128 bits compute.
def try
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end
t = Time.at(1700000000, 123456789, :nsec)
times = [t, Time.at(0), t + 1 / 7r, Time.at(0.1), Time.utc(1960), Time.at(-5, 3, :nsec)]
[1, -1, 1.5, -0.1, 3.3e8, 2**40, 1 / 3r, 1e15, Float::NAN, "1", nil].each do |d|
  times.each do |x|
    try { (x + d).to_r }
    try { [(x - d).nsec, (x - d).subsec] }
  end
end
times.each { |a| times.each { |b| try { [(a - b).round(5), a <=> b, a == b, a < b, a.eql?(b)] } } }
try { times.map(&:to_f) }
try { [t - Time.at(0), Time.at(1234567890, 987654321, :nsec).to_f] }
try { t + t }
try { t <=> 1 }
try { (Class.new(Time).at(0) + 1).class }
try { (Time.at(0, in: "+09:00") + 1.5).inspect }
try { (Time.utc(2000) - 0.25).inspect }
