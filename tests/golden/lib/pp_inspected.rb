# pp: what says itself which variables to show, cycles that pass through inspect, hashes of keywords, output that is no string.
require "pp"

object = Object.new
object.instance_eval { @a, @b, @c = 1, 2, 3 }
shown = -> { object.pretty_inspect.sub(/0x\h+/, "") }
def object.instance_variables_to_inspect = [:@b, :@a]
object.singleton_class.class_eval { private :instance_variables_to_inspect }
puts shown.call
def object.instance_variables_to_inspect = 3
p (shown.call rescue $!)

class Inspecting
  def initialize(inside) = @inside = inside
  def inspect = "<inspect:#{@inside.inspect}>"
end

class Printing
  def initialize(inside) = @inside = inside
  def pretty_print(printer) = printer.text("<pp:#{@inside.inspect}>")
end

array = []
pp array << Inspecting.new(array)
array = []
pp array << Printing.new(array)
hash = {}
pp hash.update(1 => Inspecting.new(hash))
pp array.clear << 1

pp [Hash.ruby2_keywords_hash({})]
puts PP.singleline_pp([Hash.ruby2_keywords_hash({})], +"")

[6, 7].each do |width|
  p PrettyPrint.format([], width, "newline", ->(n) { "#{n} spaces" }) { |q|
    q.text(3, 3)
    q.breakable(1, 1)
    q.text(3, 3)
  }
end
