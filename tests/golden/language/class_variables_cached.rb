# What sites remember of class variables, ancestors and defined?, and what makes them forget.

class Counter
  @@count = 0
  def count = @@count
  def count=(value)
    @@count = value
  end
  def self.count = @@count
  def maybe = defined?(@@maybe)
  def missing = @@maybe
end
class Below < Counter
  def up = @@count += 1
  def own = @@own
end

c, b = Counter.new, Below.new
3.times { b.up }
puts c.count, b.count, Counter.count
c.count = 10
puts b.up, Counter.count

puts "-- comes, goes, comes again"
2.times { p c.maybe }
2.times { c.missing rescue puts $!.message }
Counter.class_variable_set(:@@maybe, 1)
2.times { p c.maybe, c.missing }
Counter.send(:remove_class_variable, :@@maybe)
p c.maybe
Counter.class_variable_set(:@@maybe, :again)
p c.missing

puts "-- overtaken"
class Below
  @@own = 1
end
2.times { p b.own }
class Counter
  @@own = 2
end
2.times { b.own rescue puts $!.message }
module Extra
  @@count = :extra
end
Counter.include(Extra)
2.times { c.count rescue puts $!.message }
(c.count = 3) rescue puts $!.message

puts "-- frozen"
class Cold
  @@v = 1
  def v = @@v
  def v=(x)
    @@v = x
  end
end
cold = Cold.new
cold.v = 2
Cold.freeze
(cold.v = 3) rescue puts $!.class
p cold.v

puts "-- the same block in several scopes"
class One
  @@x = :one
  BLOCK = proc { @@x }
end
class Two
  @@x = :two
end
p One::BLOCK.call, Two.class_exec(&One::BLOCK), Two.new.instance_exec(&One::BLOCK)

puts "-- ancestors that are added"
module Late; end
class Plain; end
def kind(x)
  case x
  when Late then :late
  when String, "text" then :string
  when Integer then :integer
  when nil then :nil
  when 1.5..2 then :range
  when /s/ then :regexp
  when Plain then :plain
  else :other
  end
end
things = [Plain.new, "a", 1, nil, 1.7, :s, :t, Object.new]
2.times { puts things.map { |t| kind(t) }.join(" ") }
Plain.include(Late)
puts things.map { |t| kind(t) }.join(" ")
things.last.extend(Late)
puts things.map { |t| kind(t) }.join(" "), things.map { |t| t.is_a?(Late) }.join(" ")
String.prepend(Late)
puts things.map { |t| kind(t) }.join(" ")
def Plain.===(other) = other == :t
puts things.map { |t| kind(t) }.join(" ")

puts "-- defined?"
def constants = [defined?(Brand), defined?(::Brand), defined?(Plain::Inner), defined?(String)]
2.times { p constants }
Brand = 1
class Plain
  Inner = 2
end
2.times { p constants }
Object.send(:remove_const, :Brand)
p constants
class Plain
  private_constant :Inner
end
p constants
p defined?(@a), defined?(puts), defined?(yield), defined?(super), defined?(String.new), defined?(@@a), defined?($nope)
p defined?(puts).frozen?, defined?(String).equal?(defined?(Integer))

puts "-- refined ==="
module Sly
  refine String.singleton_class do
    def ===(other) = other == 5
  end
end
using Sly
def sly(x)
  case x
  when String then :sly
  when Integer then :integer
  end
end
p sly(5), sly("a"), sly(6)
