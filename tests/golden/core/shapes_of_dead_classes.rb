# Classes come and go, with objects whose fields stand in different orders; the sites that read and write them stay.
require "objspace"

module Speaks
  def speak = "#{self.class.name.inspect} #{first} #{second}"
end

def fill(object, turn)
  turn.even? ? object.fill_forwards(turn) : object.fill_backwards(turn)
end

def read(object) = [object.first, object.second, object.instance_variable_get(:@third), object.kind]

def make(turn)
  Class.new do
    include Speaks if turn % 3 == 0
    attr_reader :first, :second
    define_method(:kind) { turn % 5 }

    def fill_forwards(turn)
      @first = turn
      @second = "second #{turn}"
      @third = [turn]
      self
    end

    def fill_backwards(turn)
      @third = [turn]
      @second = "second #{turn}"
      @first = turn
      self
    end
  end
end

wrong = []
kept = []
counts = []
600.times do |turn|
  object = fill(make(turn).new, turn)
  kept << [turn, object] if turn % 50 == 0
  wrong << turn unless read(object) == [turn, "second #{turn}", [turn], turn % 5]
  wrong << turn unless object.respond_to?(:speak) == (turn % 3 == 0)
  extended = Object.new.extend(Speaks)
  extended.define_singleton_method(:first) { turn }
  extended.define_singleton_method(:second) { -turn }
  wrong << turn unless extended.speak == "\"Object\" #{turn} #{-turn}"
  next unless turn % 40 == 39

  GC.start
  counts << ObjectSpace.dump_shapes(output: :string).lines.size
end
p wrong
p kept.all? { |turn, object| read(object) == [turn, "second #{turn}", [turn], turn % 5] }
p kept.map { |_, object| object.instance_variables.size }
# What the classes of the last turns need does not add up.
p counts.last < counts[4] + 1000

# Sites that now and then meet an object of a class that dies remember what is gone when they meet the next one.
SITES = Array.new(30) do |n|
  eval "->(object) { [object.kind, object.first, object.second, object.instance_eval { @third }, object.instance_exec { @first = @first }] }"
end
WRITERS = Array.new(30) { |n| eval "->(object, turn) { object.instance_exec { turn.even? ? (@first = turn; @second = 2; @third = 3) : (@third = 3; @second = 2; @first = turn) } }" }

CHANCE = Random.new(42)

def round(turn)
  SITES.each_index.select { CHANCE.rand(3) == 0 }.reject do |n|
    number = turn * 100 + n
    object = Class.new { attr_reader :first, :second; define_method(:kind) { number } }.new
    WRITERS[n].(object, turn)
    SITES[n].(object) == [number, turn, 2, 3, turn] && object.instance_variables.sort == %i[@first @second @third]
  end
end

p(Array.new(100) { |turn| round(turn).tap { 2.times { GC.start } } }.flatten)
