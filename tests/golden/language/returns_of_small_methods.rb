# Small methods that do nothing but call the next one: what they return to, and what others see of their frames meanwhile.

class Chain
  attr_reader :log

  def initialize = @log = []
  def value = @log.size
  def last = value
  def middle = last
  def first = middle
  def fits(x) = x < 1 ? small(x) : large(x)
  def small(x) = deeper(x)
  def large(x) = deeper(x) + 1
  def deeper(x) = x + value
  def lines = caller_lines
  def caller_lines = caller_locations(0, 3).map { |at| at.lineno - 19 }
  def thrown = thrown_from
  def thrown_from = throw(:out, value)
  def raised = raised_from
  def raised_from = raise("in #{value}")
  def saved
    raised
  rescue => e
    [e.message, e.backtrace_locations.first(3).map { |at| [at.base_label, at.lineno - 19] }]
  end
  def ensured
    thrown
  ensure
    @log << :ensured
  end
  def blocks(&block) = handed(&block)
  def handed = inner { |x| yield(x) + 1 }
  def inner = yield(value)
  def finds(list) = list.each { |x| return matches(x) if x > 2 }
  def matches(x) = deeper(x)
  def own_class = self.class
  def kept = bound
  def bound = binding
  def made = first
end

chain = Chain.new
200.times { chain.first; chain.fits(0); chain.fits(3); chain.lines; chain.saved; chain.blocks { |x| x } }
p chain.first, chain.fits(0), chain.fits(3), chain.lines, chain.saved
p catch(:out) { chain.ensured }, chain.log
200.times { catch(:out) { chain.thrown } }
p catch(:out) { chain.thrown }
p chain.blocks { |x| x * 10 }
200.times { chain.finds([1, 2, 3]) }
p chain.finds([1, 2, 3, 4]), chain.own_class
p chain.kept.receiver.equal?(chain), chain.kept.local_variables

# What is called is another method from then on, and what called it still returns.
class Chain
  def last
    Chain.class_eval { def middle = [:other, value] }
    value
  end
end
p chain.first, chain.first, chain.made

class Sub < Chain
  def value = super + 100
  def last = super
end
sub = Sub.new
200.times { sub.first; sub.deeper(1) }
p sub.first, sub.deeper(1), chain.deeper(1)

# Receivers without shape of their own, and more than one kind of them.
class Object
  def itself_twice = itself_once
  def itself_once = own_self
  def own_self = self
end
receivers = [1, :a, nil, true, 2.5, "s", [1], chain.class, 1 << 70, Object.new.freeze]
300.times { receivers.each { |it| it.itself_twice } }
p receivers.map { |it| it.itself_twice.equal?(it) || it == it.itself_twice }

# Many arguments, and frames that are large.
def wide(a, b, c, d, e, f) = narrow(f, e, d, c, b, a)
def narrow(a, b, c, d, e, f)
  g = h = i = j = k = l = m = n = o = p = q = r = 1
  rest(a + g, b + h, c + i, d + j, e + k, f + l, m + n + o + p + q + r)
end
def rest(*all) = all.sum
200.times { wide(1, 2, 3, 4, 5, 6) }
p wide(1, 2, 3, 4, 5, 6)

# So deep that the stack ends, with returns through all of it.
def down(n) = n == 0 ? 0 : down(n - 1)
def count(n) = n == 0 ? 0 : 1 + count(n - 1)
200.times { down(3); count(3) }
p down(500), count(500)

# An operator is redefined by what is called.
def adds(x) = x + redefines(x)
def redefines(x) = changes(x)
def changes(x)
  return x unless $redefine
  Integer.class_eval do
    alias_method :plus, :+
    def +(other) = plus(other).plus(1000)
  end
  x
end
200.times { adds(1) }
$redefine = true
p adds(1)
$redefine = false
p adds(1)
Integer.class_eval { alias_method :+, :plus }
p adds(1)

# A Fiber leaves in the middle of a chain and comes back.
def fiber_outer(x) = fiber_inner(x)
def fiber_inner(x) = Fiber.yield(x)
fiber = Fiber.new { 300.times { |i| fiber_outer(i) }; :done }
300.times { fiber.resume }
p fiber.resume
