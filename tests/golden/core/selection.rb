# The n least and greatest: a buffer of four times as many, narrowed whenever it is full.
random = Random.new(5)
300.times do
  a = Array.new(random.rand(60)) { random.rand(20) }
  n = random.rand(8)
  p [a.max(n), a.min(n), a.max(n) { |x, y| y <=> x }, a.min(n) { |x, y| x.to_s <=> y.to_s }, a.each_entry.max(n)]
  p [a.max_by(n) { |x| x % 7 + x / 100.0 }, a.min_by(n) { |x| [x % 5, x] }, a.each_slice(2).min_by(n) { |x, y| [x, y.to_i] }]
end

# Only what may be wanted is compared.
compared = 0
(1..2000).to_a.max(2) { |a, b| compared += 1; a <=> b }
p compared
compared = 0
p (1..2000).each_entry.min(1) { |a, b| compared += 1; a <=> b }, compared

# Nothing wanted, nothing asked for.
p [1, 2].max(0), [3].each_entry.min_by(0) { raise "not called" }, [].max(3), {a: 1, b: 2}.max_by(1) { |_, v| v }
p (1..10).max_by(3) { |x| -x }, (1..10).each_slice(3).max(2), [1, 2].max(5), [2, 1].min_by(9) { |x| x }

[-> { [1, "a", 2, 3, 4, 5, 6].max(1) }, -> { [1, 2].max(-1) }, -> { [1, 2].max_by(2**70) { 1 } }, -> { [1, nil].min(1) },
 -> { [1, 2, 3].min_by(1) { |x| x == 3 ? "x" : x } }, -> { [2, 1].max(1) { nil } }].each do |attempt|
  attempt.call
rescue => error
  puts "#{error.class}: #{error.message}"
end
