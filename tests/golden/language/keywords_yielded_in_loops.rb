# Blocks whose keywords a yield names, in code that runs often enough to be compiled with the block in it.
def both(x) = yield(x, a: 1, b: 2)
def later(x) = yield(x, b: x)
def pair(x) = yield([x, x], b: x)
def none_more = yield(a: 1, **{})
def turned(x) = yield(b: x, a: 2)
def numbered = 3.times { |i| yield(k: i, v: i * 2) }
def unknown = yield(a: 1, c: 2)
def mixed = yield(a: 1, b: "x")

def run(n)
  s = 0
  i = 0
  while i < n
    both(i) { |x, a:, b:| s += x + a + b }
    later(i) { |x, a: (x + 1), b:| s += a * 2 + b }
    pair(i) { |x, a: 5, b:| s += x[0] + a + b }
    none_more { |a:, b: nil| s += a + b.to_i }
    turned(i) { |a:, b:| s += a * 10 + b }
    turned(i) { |a:, b: binding.local_variable_get(:a)| s += a }
    s = (s - (turned(i) { |b:, a:| next 7 if b.odd?; break 9 if b == 998; a })) & 0xffffff
    i += 1
  end
  s
end
p run(3000)

puts "-- keywords that the block has not, or needs"
20.times do |i|
  unknown { |a:, b:| }
rescue ArgumentError => error
  p error.message if i == 19
end

puts "-- where it is"
seen = nil
numbered { |k:, v:| seen = [k, v, caller_locations(0, 3).map(&:lineno)] }
p seen
lines = 400.times.map do |i|
  mixed { |a:, b:| i > 390 ? Integer(b) : a }
rescue ArgumentError => error
  error.backtrace_locations.first(2).map(&:lineno)
end
p lines.first, lines.last

puts "-- blocks that take more"
p 300.times.map { |i| mixed { |a:, b:, c: i| [a, b, c] } }.last
p 300.times.map { mixed { |z = 3, a:, b:| [z, a, b] } }.last
p 300.times.map { mixed { |a:, **others| [a, others] } }.last
p 300.times.map { mixed { |hash| hash } }.last
p 300.times.map { mixed { |a: 2, b: 3, &block| [a, b, block] } }.last
