# Arrays that nobody would see are not made: objects for a hundred turns.
def made
  yield
  before = GC.stat(:total_allocated_objects)
  yield
  ((GC.stat(:total_allocated_objects) - before) / 100.0).round
end

PAIR = [1, 2].freeze
LIST = (1..200).to_a.freeze
TABLE = LIST.first(100).to_h { |i| [i, i] }.freeze
def pair = PAIR

def matched(pair)
  case pair
  in [first, second] then first + second
  end
end

p made { 100.times { a, b = pair; a + b } }
p made { 100.times { |i| a, (b, c) = i, PAIR; a + b + c } }
p made { 100.times { a, = 1; a } }
p made { 100.times { a, *b = PAIR; b } }
p made { 100.times { *a, b = 5; $kept = [a, b] } }
p made { 100.times { matched(PAIR) } }
p made { LIST.each_cons(2) { |a, b| a + b } }
p made { LIST.each_slice(2) { |a, b| a + b } }
p made { TABLE.each_with_index { |(k, v), i| k + v + i } }
p made { TABLE.inject(0) { |sum, (k, v)| sum + k + v } }

# Methods of literals.
one = 1
two = 2
name = "b"
p made { 100.times { [one, two].max } }
p made { 100.times { [one, two, 3].min } }
p made { 100.times { [one, two].include?(3) } }
p made { 100.times { [1, 2, 3].include?(two) } }
p made { 100.times { %w[a b c].include?(name) } }
p made { 100.times { %i[a b c].include?(:c) } }
p made { 100.times { [one, two].hash } }
p made { 100.times { [1, 2, 3].freeze } }
p made { 100.times { { a: 1 }.freeze } }

# Those that are seen are one each.
seen = []
LIST.first(5).each_cons(2) { |a| seen << a }
LIST.first(5).each_slice(2) { |a| seen << a }
LIST.first(5).each_slice(2) { |a, b| seen << [a, b] }
LIST.first(4).each_cons(3) { |a, *b| seen << b }
p seen
first, *rest = source = [1, 2, 3]
source << 4
rest << 5
p first, rest, source
a, b, *c = nil
p [a, b, c]
(a, b), c, *d = [1, 2], 3
p [a, b, c, d]
*a, b, c = 1
p [a, b, c]
