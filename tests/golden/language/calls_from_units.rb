# Calls that hot code makes of methods which are too large to be inlined: what comes back to code that was given up meanwhile, left, or
# traced.

LARGE = (1..60).map { |i| "x += #{i} if x == -#{i}" }.join("\n  ")

class Base
  class_eval <<~RUBY
    def large(x)
      #{LARGE}
      yield_to(x) if @hook
      x
    end
  RUBY

  attr_accessor :hook

  def yield_to(x)
    hook = @hook
    hook.call(x)
  end

  # Inlined around the call.
  def small(x) = large(x) + 1
  def smaller(x) = small(x) * 2

  def sum(n)
    total = 0
    i = 0
    while i < n
      total += smaller(i) - large(i)
      i += 1
    end
    total
  end

  def rescued(n)
    total = 0
    n.times do |i|
      total += small(i)
    rescue ArgumentError => e
      total += e.message.size
    ensure
      total += 1
    end
    total
  end

  def mixed(a, b)
    c = large(a)
    d = large(b)
    c + d
  end
end

base = Base.new
hot = -> { 300.times { base.sum(20) } && base.rescued(5000) }
hot.call
p base.sum(10), base.rescued(10)

puts "where it was called from"
lines = nil
base.hook = ->(x) { lines = caller_locations(3, 1).map { |l| [l.label, l.lineno] } if x == 7 }
p base.sum(10), lines
base.hook = nil

puts "errors"
base.hook = ->(x) { raise ArgumentError, "x" * x if x.odd? }
p base.rescued(10)
begin
  base.sum(10)
rescue ArgumentError => e
  p e.message, e.backtrace_locations.map(&:lineno).first(5)
end
base.hook = nil
p base.sum(10), base.rescued(10)

puts "thrown, and in fibers"
base.hook = ->(x) { throw :out, x if x == 5 }
p catch(:out) { base.sum(10) }
base.hook = ->(x) { Fiber.yield x }
fibers = [Fiber.new { base.sum(3) }, Fiber.new { base.sum(4) }]
fibers.each { |f| 3.times { p f.resume } }
GC.start
p(fibers.map { |f| x = f.resume while f.alive?; x })
base.hook = nil

puts "guesses that turn out wrong"
2000.times { |i| base.mixed(i, i) }
depth = 0
base.hook = lambda do |x|
  next if depth > 0
  depth += 1
  400.times { |i| base.mixed(i + 0.5, i) }
  400.times { |i| base.mixed(2**70 + i, 1r) }
  depth -= 1
end
p base.mixed(1, 2), base.mixed(1.5, 2), base.sum(4)
base.hook = nil
p base.mixed(3, 4), base.sum(10)

puts "classes that are gone"
5.times do |round|
  klass = Class.new(Base) { def initialize = (@a = @b = 1) }
  objects = Array.new(3) { klass.new }
  400.times { |i| objects.each { |o| o.sum(3) } }
  objects[0].hook = ->(x) { klass = nil; objects = nil; GC.start; GC.start; Class.new(Base).new.sum(3) }
  p objects[0].sum(6)
end
GC.start

puts "traced"
seen = []
trace = TracePoint.new(:return) { |t| seen << [t.method_id, t.return_value] if t.path == __FILE__ }
base.hook = ->(x) { trace.enable if x == 2 }
p base.sum(4)
trace.disable
base.hook = nil
p seen.first(8)

puts "redefined"
Integer.alias_method :plus, :+
base.hook = lambda do |x|
  Integer.define_method(:+) { |other| plus(other).plus(100) } if x == 3
  Integer.alias_method :+, :plus if x == 5
end
result = base.sum(8)
Integer.alias_method :+, :plus
p result
base.hook = nil
class Base
  def small(x) = large(x) + 5
end
p base.sum(10)
