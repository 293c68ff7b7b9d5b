# One site that sees receivers of many classes and shapes, and what changes while it does.

class Base
  attr_accessor :tag
  def initialize(count)
    @tag = "t#{count}"
    count.times { |i| instance_variable_set("@v#{i}", i) }
    @last = count
  end
  def last = @last
  def last=(value)
    @last = value
  end
  def optional(a, b = a + 1) = [a, b]
  def rest(*all) = all
  def keys(a:, b: 2) = [a, b]
  def with_block = yield(self)
  def ==(other) = other.equal?(:same)
  def [](index) = index * 2
  def <<(item) = "pushed #{item}"
end

CLASSES = 12.times.map do |i|
  Class.new(Base) do
    define_method(:number) { i }
    class_eval "def name = 'c#{i}'"
    class_eval "def keys(a:, b: #{i}) = super" if i.odd?
    class_eval "def optional(a, b = #{i}) = super" if i % 3 == 0
  end
end
OBJECTS = CLASSES.each_with_index.map { |c, i| c.new(i) }

def walk(list)
  list.map do |o|
    o.tag += "!"
    o.last = o.last + 1
    [o.name, o.number, o.tag, o.last, o.optional(1), o.rest(1, 2), o.keys(a: 1), o.with_block { |x| x.name },
     o == :same, o[3], o << 1].join(" ")
  end
end

3.times { walk(OBJECTS) }
puts walk(OBJECTS)

puts "-- redefined while the site knows many"
CLASSES[1].class_eval { def name = "new" }
puts walk(OBJECTS.values_at(0, 1, 11))
def (OBJECTS[2]).name = "single"
puts walk(OBJECTS.values_at(1, 2, 3))
CLASSES[4].class_eval { private :name }
begin
  walk(OBJECTS.values_at(3, 4))
rescue NoMethodError => e
  puts e.message.sub(/#<Class.*/, "")
end
CLASSES[5].class_eval { undef name }
begin
  walk(OBJECTS.values_at(3, 5))
rescue NoMethodError => e
  puts e.message.sub(/#<#?Class.*/, "")
end

puts "-- frozen, missing"
def set(o) = (o.last = 5; o.tag = 6)
OBJECTS.each { |o| set(o) }
OBJECTS[7].freeze
[6, 7, 8].each do |i|
  set(OBJECTS[i])
  puts "set #{i}"
rescue FrozenError
  puts "frozen #{i}"
end
class Ghost
  def method_missing(name, *args) = name == :name ? "ghost" : super
  def respond_to_missing?(name, all = false) = name == :name || super
end
puts [*OBJECTS.values_at(0, 6), Ghost.new, OBJECTS[8]].map { |o| o.name }.inspect

puts "-- fields of objects that are no plain ones"
module Tagged
  def mark(x) = @mark = x
  def mark! = @mark
end
things = [Object.new, "text", [1], {a: 1}, Class.new, Module.new, Struct.new(:a).new(1), StandardError.new, proc { 1 }, 2..3.5]
things.reject(&:frozen?).each { |t| t.extend(Tagged) }
2.times { |n| puts things.reject(&:frozen?).each_with_index.map { |t, i| t.mark(i + n); t.mark! }.inspect }

puts "-- super to several"
module Wrap
  def label(a = 1, *rest) = "<#{super}>"
  def inspect = "w#{super[0, 1]}"
end
wrapped = 10.times.map do |i|
  base = Class.new { class_eval "def label(a = #{i}, *rest) = [a, rest, block_given?].join(',')" }
  Class.new(base) { include Wrap; class_eval "def label(a = 5, *rest) = super" }.new
end
2.times { puts wrapped.map { |w| w.label }.join(" ") }
puts wrapped.map { |w| w.label(7, 8) { } + w.inspect }.join(" ")

puts "-- many epochs"
20.times do |i|
  CLASSES[i % 3].class_eval "def name = 'n#{i}'"
  print OBJECTS.values_at(0, 1, 3, 6, 8, 9, 10, 11, 7).map { |o| o.name }.join(","), " "
end
puts
