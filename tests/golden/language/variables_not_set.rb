# Instance variables that are read before they are set, by sites that have read before.
class Thing
  def read = @value
  def either = @value || @other
  def memo = @memo ||= [:made]
  def set(value) = @value = value
  def is_set = defined?(@value)
  attr_reader :value
  def drop = remove_instance_variable(:@value)
  def count = @count = (@count || 0) + 1
  def &(other) = [@value, other.read]
end

things = Array.new(4) { Thing.new }
things.each { |thing| 3.times { p [thing.read, thing.either, thing.value, thing.is_set] } }
things.each { |thing| p thing.memo, thing.memo.equal?(thing.memo), thing.read, thing.count, thing.count }
things[1].set(1)
things.each { |thing| p [thing.read, thing.either, thing.value, thing.is_set] }
things[2].set(nil)
things.each { |thing| p [thing.read, thing.either, thing.value, thing.is_set] }
things[1].drop
things.each { |thing| p [thing.read, thing.either, thing.value, thing.is_set] }
things[1].set(2)
p things.map(&:read), things[0] & things[1]

# Set by others ways in between.
thing = Thing.new
5.times do |i|
  p thing.read
  case i
  when 0 then thing.instance_variable_set(:@another, 1)
  when 1 then thing.instance_variable_set(:@value, 1)
  when 2 then thing.instance_eval { @value = 2 }
  when 3 then thing.remove_instance_variable(:@value)
  end
end

# Frozen things, copies, subclasses, things with many variables, things of classes with many shapes.
frozen = Thing.new.freeze
3.times { p frozen.read, (frozen.memo rescue $!.class) }
copies = [Thing.new, Thing.new.tap { |t| t.set(3) }].flat_map { |t| [t.dup, t.clone] }
3.times { p copies.map(&:read) }
class Many < Thing; end
many = Many.new
300.times { |i| p many.read if i % 60 == 0; many.instance_variable_set(:"@v#{i}", i) }
many.set(4)
p many.read, many.either, many.memo
shapes = Array.new(60) { |i| Class.new(Thing).new.tap { |t| t.instance_variable_set(:"@a#{i}", 1); t.set(i) if i.odd? } }
2.times { p shapes.map(&:read).compact.sum, shapes.map(&:either).size }
class Shifting < Thing
  def initialize(i) = 30.times { |k| instance_variable_set(:"@s#{(i * 7 + k * 11) % 97}", k) }
end
shifting = Array.new(120) { |i| Shifting.new(i) }
2.times { p shifting.map(&:read).uniq, shifting.map(&:memo).uniq }
shifting.each_with_index { |t, i| t.set(i) if i % 3 == 0 }
p shifting.sum { |t| t.read || 0 }

# Objects of other kinds, and classes.
class String; def read_it = @it; def write_it(v) = @it = v; end
class Array; def read_it = @it; def write_it(v) = @it = v; end
class Module; def read_it = @it; def write_it(v) = @it = v; end
class Proc; def read_it = @it; def write_it(v) = @it = v; end
class Object; def it_read = @it; end
objects = [+"a", [1], Class.new, Module.new, proc { }, Struct.new(:a).new(1), 1..2, Exception.new, Object.new, {}, /x/]
3.times { p objects.map(&:it_read), [1, nil, :a, 1.5, 2**70].map(&:it_read) }
objects.each { |o| o.write_it(o.class) if o.respond_to?(:write_it) }
3.times { p objects.map(&:it_read), objects.first(5).map(&:read_it).map(&:to_s) }

# A loop long enough to be compiled, in which the variable appears, and one in which it does not.
class Loop
  def run(n)
    i = hits = 0
    while i < n
      hits += 1 if @flag
      @flag = true if i == n / 2
      i += 1
    end
    hits
  end

  def never(n) = (i = 0; (i += 1; return i if @never) while i < n; :never)
end
p Loop.new.run(40_000), Loop.new.run(40_000), Loop.new.never(40_000)
loop_with = Loop.new
p loop_with.never(30_000), loop_with.instance_variable_set(:@never, 1), loop_with.never(30_000)
p Array.new(3000) { |i| t = Thing.new; t.set(i) if i % 1000 == 999; t.either }.compact
