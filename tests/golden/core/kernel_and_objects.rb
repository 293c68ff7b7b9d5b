# Kernel functions and Object methods: conversion, output, identity, comparison, loops, catch, freeze and dup.
puts 1, [2, [3, nil]], nil, "x\n", [], :sym, 1.5
print "a", 1, nil, :b, "\n"
p
p 1
p 1, 2
x = p(3)
y = p(4, 5)
p x, y, p
pp({ a: [1, 2] }, "s")
putc "Z"; putc 10
puts [[], [[]]], [nil].to_s
$stdout << "chained " << 1 << "\n"
$stdout.write("a", 1, "\n")
display_result = 5.display
puts
p display_result
puts "é", "a\0b".inspect, "\\n"
p Integer("12"), Integer("z", 36), Float("1.5"), String(nil), Array(nil), Array([1]), Array(1..2), Array(a: 1), Rational("1/2"), Complex("1i"), Hash([])
p 5.then { _1 + 1 }, 5.tap { |v| v + 100 }, 5.itself, Object.new.then { 1 }, 5.yield_self { _1 }
p nil.to_a, nil.to_s, nil.to_h, nil.inspect, nil & 1, nil.to_i, nil.to_f, NilClass, true & false, true ^ true, true.to_s, nil.dup, 1.dup, :a.clone
p 5.frozen?, "a".dup.frozen?, Object.new.frozen?, nil.frozen?, 5.instance_of?(Integer), 5.kind_of?(Numeric), 5.is_a?(Comparable), Integer === 5, 5.respond_to?(:+), 5.nil?, nil.nil?, (5 =~ /x/ rescue $!.class)
o = Object.new
p o == o, o.eql?(o), o.equal?(o.dup), o.hash == o.hash
p o.singleton_methods, o.methods.include?(:tap), o.instance_variables, (o <=> o), (o <=> 1), o === o, !o, o != o, o.to_s =~ /\A#<Object:0x\h{8,16}>\z/, o.inspect == o.to_s
p [rand.class, rand(1), rand(1..1), Random.new(42).rand(100).class, Random.new(1).bytes(2).size, Random.rand(1), [1].shuffle, [1].sample, Random.new_seed.class, srand(5).class, (srand(5); a = rand(1000); srand(5); a == rand(1000))]
p __method__.inspect, block_given?, binding.class, caller.class, __dir__.class, local_variables.first(3), global_variables.include?(:$stdout), self.to_s
p catch(:x) { throw :x, 5 }, loop { break 7 }, (begin; raise "a"; rescue; $!.message; end), [proc {}.lambda?, lambda {}.lambda?], (eval "1+1"), (instance_eval { self }).to_s
p Comparable.instance_method(:clamp).class, ObjectSpace.class, Kernel.class, Process.clock_gettime(Process::CLOCK_MONOTONIC).class, Process.pid.class, Signal.list.key?("INT"), ENV.key?("PATH").nil?
class Point
  attr_accessor :x
  def initialize(x) = @x = x
  def ==(o) = o.is_a?(Point) && x == o.x
  alias eql? ==
  def hash = x.hash
  def inspect = "P(#{x})"
  def coerce(n) = [Point.new(n), self]
  def +(o) = Point.new(x + (o.is_a?(Point) ? o.x : o))
  def to_str = "point#{x}"
  def to_ary = [x, :ary]
  def to_proc = ->(v) { v + x }
  def to_hash = { x: x }
  def to_path = "path/#{x}"
  def to_i = 99
  def to_int = 42
  def to_sym = :pt
  def each = yield(x)
  def ===(o) = o == x
  def =~(o) = :matched
  def call(*a) = a
  def <=>(o) = x <=> o.x
end
pt = Point.new(1)
first, second = pt
p first, second, "str: " + pt, [1, 2].map(&pt), [[0], pt].flatten, [1, 2, 3].first(Point.new(2))
p Integer(pt), Array(pt), [pt].uniq.size, [pt, Point.new(1)].uniq.size, { pt => 1 }[Point.new(1)], 5 + pt, [Point.new(2), pt].sort, [pt] - [Point.new(1)], [pt] & [Point.new(1)], [pt].include?(Point.new(1)), [3, 4][Point.new(0)]
def kwargs(**k) = k
p kwargs(**pt), "abc" * 2, "%d" % pt, [1, 2, 3] * ",", File.join("a", "b"), "a".send(:+, "b"), pt.(1, 2), pt::x, pt&.x, pt.x += 1, pt.x, pt.instance_variable_get(:@x), pt.method(:x).call, pt.public_send(:x), pt.respond_to?(:x)
copy = pt.dup
copy.x = 100
p pt.x, copy.x, pt.clone.x, pt.freeze.frozen?, pt.dup.frozen?, pt.clone.frozen?, ((pt.x = 1) rescue $!.class), pt.instance_variables, pt.instance_variable_defined?(:@x), pt.singleton_class.inspect.sub(/0x\h+/, "XX")
warn "warned"
warn
warn nil, ["list", "of"]
$stderr.puts "err"
p (Integer("a") rescue :rescued), ([1, 2].frozen? || :no), (not true), [*nil], [*[1]], [*1], ObjectSpace::WeakMap.new.class, Object.new.instance_of?(BasicObject), BasicObject.new.__id__.class, BasicObject.instance_method(:==).class
p gets.inspect, $stdin.read, $stdin.eof?
p "done".then { |s| format("%-6s|", s) }, [1, 2, 3].sum.then { _1.fdiv(3) }, sleep(0), (exit! if false), at_exit { puts "bye" }.class, test(?e, __FILE__), (autoload?(:Nope)).inspect
