require_relative "basics"

def attempt
  yield
rescue Exception => error
  "#{error.class}: #{error.message}"
end

puts "methods"
p Basics.one(nil), Basics.one(false), Basics.one(1.5), Basics.add(1, 2), Basics.add(2**62, -1), Basics.string?("a"), Basics.string?(1)
p Basics.list, Basics.list(1, false, nil), Basics.list(*1..40).size, Basics.array(1, 2), Basics.array
p Basics.scan(1), Basics.scan(1, 2, 3, 4), Basics.scan(1, k: 2), Basics.scan(1, {k: 2}), Basics.scan(1) {}
p Basics.keywords(a: 1), Basics.keywords(a: 1, b: 2), attempt { Basics.keywords }, attempt { Basics.keywords(a: 1, c: 2) }
p Basics.fifteen(*1..15), attempt { Basics.fifteen }, attempt { Basics.one(1, 2) }, attempt { Basics.scan }
p attempt { Basics.add("a", 1) }, attempt { Basics.add(nil, 1) }, attempt { Basics.add(2**70, 1) }
p Basics.method(:add).arity, Basics.method(:list).arity, Basics.method(:array).arity, Basics::Point.new.to_s.end_with?(">!")
p [1, 2].map(&Basics.method(:one)), Basics.public_send(:add, 3, 4)

puts "exceptions"
p attempt { Basics.boom }
begin
  Basics.boom
rescue => error
  p error.backtrace_locations.map(&:label)
end
log = []
p attempt { Basics.ensured(log) }, log, Basics.rescued(5)
p Basics.protected_call(5)
log = []
p Basics.protected_yield(1, log) { |x| x + 1 }, attempt { Basics.protected_yield(1, log) { raise "inner" } }
p Basics.protected_yield(1, log) { break :broken }
p catch(:out) { Basics.protected_yield(1, log) { throw :out, :thrown } }
def leave(log) = Basics.protected_yield(1, log) { return :left }
p leave(log), log, $!
p Basics.caught(42)
p [1, 2, 3].each { |x| Basics.protected_yield(x, log) { |y| next y } }

puts "the error that C code deals with"
p Basics.error_now
begin
  raise "of Ruby"
rescue
  p Basics.error_now, $!
  p Basics.protected_call(5)[1].class, Basics.error_now, $!
  p Basics.rescued_yield { [$!, Basics.error_now] }.flatten.map(&:class), Basics.error_now, $!
end
p Basics.rescued_yield { |e| [$!.equal?(e), Basics.error_now.equal?(e)] }[1]
p Basics.rescued_yield { raise "inner" rescue [$!, Basics.error_now] }[1]
log = []
p attempt { Basics.ensured_yield(log) { log << $!.class << Basics.error_now.class } }, log.map { |e| e.is_a?(Class) ? e : e.class }
p Basics.error_now, $!

puts "blocks"
seen = []
Basics.each_three { |x| seen << x }
p seen, Basics.each_three.to_a, Basics.each_three { |x| break x * 10 if x == 1 }
into = []
p Basics.iterate([1, 2, 3, 4], into), into, Basics.iterate({a: 1}, into), into
p [1, 2].map(&Basics.multiplier(10)), Basics.multiplier(2).call(21)
fiber = Fiber.new { Basics.each_three { |x| Fiber.yield x }; :done }
p fiber.resume, fiber.resume, attempt { Basics.ensured([]) }, fiber.resume, fiber.resume

puts "data"
points = Array.new(50) { |i| Basics::Point.new.tap { |point| point.value = "value #{i}" } }
guarded = Array.new(50) { |i| Basics::Guarded.new.tap { |point| point.write("guarded #{i}") } }
GC.start
points.each_with_index { |point, i| point.value = "again #{i}" }
guarded.each_with_index { |point, i| point.write("anew #{i}") }
2000.times { Basics::Point.new.value = "garbage" }
Basics.keep("kept #{1}")
old = Array.new(20) { |i| Basics::Old.respond_to?(:wrap) ? Basics::Old.wrap("old #{i}") : Struct.new(:value).new("old #{i}") }
3.times { GC.start }
p points.map(&:value).each_with_index.all? { |value, i| value == "again #{i}" }
p guarded.map(&:value).each_with_index.all? { |value, i| value == "anew #{i}" }
p Basics.kept, Basics::Point.freed, old.map(&:value).last, attempt { points[0].wrong }, attempt { Basics::Old.new }, Basics::Point.new.value
p attempt { Basics::Point.instance_method(:value).bind_call(Basics::Guarded.new) }

# ---- a `new` of C code, which asks for an instance; one of a subclass's own below it ----

class Basics::Made
  def initialize(number = 0, twice: false) = @number = twice ? number * 2 : number
  attr_reader :number
end
class MadeTwice < Basics::Made
  def self.new(*) = [:twice, super]
end
p Basics::Made.new.first, Basics::Made.new(3)[1].number, Basics::Made.new(3, twice: true)[1].number
p MadeTwice.new(4).flatten.first(2), MadeTwice.new(4).flatten.last.number

# ---- output of an object that is no IO, and enumerators with keywords ----

class Written
  include Basics::Out
  def write(*texts) = (@texts ||= []).concat(texts)
  attr_reader :texts
end
written = Written.new
inner = [1]
inner << inner
written.puts
written.puts("a", "b\n", [2, [nil, :c]], inner, [])
written.print("d", 3)
written.printf("%d-%s", 4, "e")
p attempt { written.printf }
written << 5 << "f"
p written.texts
p written.each(1, a: 2).to_a, written.each({ a: 2 }).to_a, written.each.to_a
p Basics.wide_ascii("".encode("UTF-16LE")), Basics.wide_ascii(+"z")
p Basics.file_mode("r"), Basics.file_mode("w+b"), Basics.file_mode("wx") == (File::WRONLY | File::EXCL)
["x", "rx", "rbt", "w+q"].each { |mode| p attempt { Basics.file_mode(mode) } }
begin
  Basics.file_mode("x")
rescue ArgumentError => error
  p error.message.encoding
end
point = Basics::Point.new
p Basics.as_data(point).equal?(point), attempt { Basics.as_data(1) }

# Blocks that are C functions, yielded to with none, one, two and more, often enough to be compiled.
class Yielding
  def each
    sum = 0
    500.times { |i| sum += yield + yield(i) + yield(nil, false) }
    p sum, yield([6]), yield(*[4, 5]), yield(*[])
    yield 1, 2, 3
  end
end
into = []
p attempt { Basics.gather(Yielding.new, into) }, into.last(8), into.size, into.count(false), into.count([nil, false])

# What is visited already, alone or together with another object, is so in the fiber that does it.
object, other = Object.new, Object.new
p Basics.visited(object) { [Basics.visited(object) { :first }, Basics.visited(other) { :first }] }, Basics.visited(object) { :first }
p Basics.visited_with(object, other) { [[object, other], [object, object], [other, object]].map { |pair| Basics.visited_with(*pair) { :first } } }
resting = Fiber.new { Basics.visited(object) { Fiber.yield(Basics.visited(object) { :first }) } }
p resting.resume, Basics.visited(object) { :first }, Basics.visited_with(object, other) { :first }
