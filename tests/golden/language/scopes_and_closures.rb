# Which variables a block shares, which it owns, and how long they live.
x = 1
[2].each { |y; x| x = y }
p x
[3].each { |y| x = y }
p x
counters = 3.times.map { |i| n = i * 10; [-> { n += 1 }, -> { n }] }
counters.each { |increment, _| 2.times { increment.call } }
p counters.map { |_, read| read.call }
def make_account(balance)
  { deposit: ->(n) { balance += n }, withdraw: ->(n) { balance -= n }, balance: -> { balance } }
end
a, b = make_account(10), make_account(100)
a[:deposit].(5)
b[:withdraw].(1)
p a[:balance].(), b[:balance].()
procs = []
i = 0
while i < 3
  j = i
  procs << -> { [i, j] }
  i += 1
end
p procs.map(&:call)
p (1..3).map { |k| -> { k } }.map(&:call)
def shadow(value) = [1].map { |value| value + 1 } << value
p shadow(10)
if false
  never_assigned = 1
end
p never_assigned
p (y2 = 5 if false), y2
1.times { inside = 1 }
p defined?(inside), binding.local_variable_defined?(:x)
define_singleton_method(:sees) { x }
p sees
def does_not_see = (x rescue "no x")
p does_not_see
adder = ->(m) { ->(n) { ->(o) { m + n + o } } }
p adder[1][2][3]
fact = ->(n) { n < 2 ? 1 : n * fact.(n - 1) }
p fact.(20)
y_combinator = ->(f) { ->(g) { g.(g) }.(->(g) { f.(->(v) { g.(g).(v) }) }) }
p y_combinator.(->(f) { ->(n) { n.zero? ? 0 : n + f.(n - 1) } }).(10)
memo = Hash.new { |h, n| h[n] = n < 2 ? n : h[n - 1] + h[n - 2] }
p memo[30]
gen = proc { |seed| state = seed; proc { state = state * 1103515245 + 12345 & 0x7fffffff } }
left, right = gen.(1), gen.(2)
p left.(), left.(), right.(), left.()
class Holder
  value = :class_body_local
  define_method(:closed) { value }
  def open = (value rescue :not_visible)
end
p Holder.new.closed, Holder.new.open
b1 = binding
z = 1
b1.local_variable_set(:z, 2)
p z, b1.local_variables.include?(:later), (later = 3)
def block_binding(&block) = block.binding
w = 7
p block_binding {}.local_variable_get(:w)
blk = proc { |q, r = (q * 2), *s, t: (r + 1)| [q, r, s, t] }
p blk.(1), blk.(1, 2, 3), blk.([4, 5]), blk.(1, t: 0)
p [[1, { k: 2 }]].map { |v, k| [v, k] }, [[1, 2, 3]].map { |v, *w2| w2 }, { a: [1, 2] }.map { |k, (v1, v2)| [k, v1, v2] }
