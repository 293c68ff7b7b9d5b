# Where the source of a block, a lambda or a method stands, as test libraries look it up to show it.
block = proc do |a|
  a
end
lambda1 = -> { 1 + 1 }
lambda2 = -> (x, y = 1) {
  x + y }
braces = proc { |a, *b| [a, b] }
def method_of_lines(a)
  a + 1
end
def endless(a, b = 2) = a * b
class Holder; def inner = 9; end

places = [block, lambda1, lambda2, braces, method(:method_of_lines), method(:endless), Holder.instance_method(:inner)]
places.each do |body|
  listing = RubyVM::InstructionSequence.of(body).to_a
  p listing.size, listing[4].values_at(:code_location, :parser), listing[5], listing[8..10], listing[6] == listing[7]
end
listing = RubyVM::InstructionSequence.compile("def f(a)\n1;end\n  g = 2", "name", "/folder/name", 7).to_a
p listing[4].values_at(:code_location, :parser), listing[5..10]

class Yielding
  def initialize(*) = @block = block_given? ? Proc.new { yield } : nil
  def given(&block) = block
end

class Below < Yielding
  def given(...) = super
  def of_super = [method(:given).super_method.call { |below| below }, super_block { it }]
  def super_block(&block) = block
end
Below.new.of_super.each { |body| p RubyVM::InstructionSequence.of(body).to_a[4][:code_location] }
p RubyVM::InstructionSequence.of([].method(:push)).inspect
