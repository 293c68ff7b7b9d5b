# `&:name` at sites that run often, with every kind of method behind the name.
class Thing
  attr_reader :field
  attr_accessor :late

  def initialize(field) = @field = field
  def inspect = "<#{@field}>"
  def itself_again = self
  def with_default(other = :none) = [field, other]
  def rest(*others) = [field, others]
  def keywords(k: 1) = [field, k]
  def blocky = block_given?
  def two(other) = [field, other]
  def where = caller(0).first(2).map { |line| line[/in .*/] }
  def raises = raise(ArgumentError, "no #{field}")
  define_method(:defined) { [:defined, field] }
  alias other_name field
  def method_missing(name, *rest) = name == :ghost ? [:ghost, field, rest] : super
  def respond_to_missing?(name, all = false) = name == :ghost || super

  protected def hidden = 1
  private def secret = 2
  public

  def ask(things) = things.map(&:hidden)
end

Pair = Struct.new(:left, :right)

def each_two(list) = list.each_cons(2).map { |a, b| yield a, b }
def none = yield
def captured(&block) = [block.class, block.lambda?, block.arity, block.parameters, block.call(Thing.new(9))]

things = Array.new(3) { |n| Thing.new(n) }
report = lambda do |&work|
  work.call
rescue NoMethodError, ArgumentError => e
  "#{e.class}: #{e.message}"
end

3.times do
  p things.map(&:field), things.map(&:late), things.map(&:other_name)
  p things.map(&:itself_again) == things
  p things.map(&:with_default), things.map(&:rest), things.map(&:keywords), things.map(&:defined)
  p things.map(&:blocky), things.map(&:ghost)
  p report.call { each_two(things, &:two) }
  p report.call { each_two(things, &:field) }
  p report.call { things.each_with_index.map(&:two) }
  p report.call { things.map(&:two) }
  p report.call { things.map(&:hidden) }
  p report.call { things.map(&:secret) }
  p report.call { Thing.new(1).ask(things) }
  p report.call { things.map(&:missing) }
  p report.call { things.map(&:raises) }
  p report.call { none(&:field) }
  p captured(&:field)
  p things.first.then(&:where)
  p [Pair[1, 2], Pair[3, 4]].map(&:left), [Pair[1, 2], Pair[3, 4]].sum(&:right)
  p [3, 1.5, nil, "x", :y].map(&:to_s), [[1, 2], [3]].map(&:size), [1, 2].each_slice(2).map(&:sum)
  p({ a: 1 }.map(&:first), { a: 1 }.any?(&:frozen?), [1, 2, 3].inject(&:+), %w[b a].max_by(&:ord))
end

# What a method is, changes while the site runs.
class Thing
  def field = [:redefined, @field]
end
p things.map(&:field)
class Thing
  undef_method :field
end
p report.call { things.map(&:field) }

class Symbol
  alias old_to_proc to_proc
  def to_proc = self == :late ? proc { |thing| [:made, thing.class] } : old_to_proc
end
run = -> { [things.map(&:late), things.map(&:itself_again).size] }
p run.call, run.call
class Symbol
  alias to_proc old_to_proc
end
p run.call

module Louder
  refine String do
    def size = 100
    def shout = upcase + "!"
  end
end

module Quiet
  def self.sizes(list) = list.map(&:size)
end

using Louder

module Loud
  def self.sizes(list) = list.map(&:size)
  def self.shouts(list) = list.map(&:shout)
end
3.times { p Quiet.sizes(%w[a bb]), Loud.sizes(%w[a bb]), Loud.shouts(%w[a]) }

# The receiver changes its own array, throws, breaks and switches fibers.
list = [1, 2, 3]
list.define_singleton_method(:cut) { clear }
p [list, [4]].each(&:clear), list
p catch(:done) { [-> { throw :done, 5 }].each(&:call) }
fiber = Fiber.new { [-> { Fiber.yield 1; 2 }].map(&:call) }
p fiber.resume, fiber.resume
