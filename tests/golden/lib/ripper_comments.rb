# The lexer looks through comments below a line for a dot or an operator before it says what the end of that line is.
require "ripper"

class Order < Ripper
  Ripper::SCANNER_EVENTS.each { |event| define_method("on_#{event}") { |text| print event, " "; text } }
end

[
  "a\n# c\n# d\nb\n", "a # t\n# c\nb\n", "a\n\n# c\nb\n", "class A\n  # x\n  # y\n  def x\n    # z\n  end\nend\n# e\n", "a\n# c\n  # d\n  .b\n",
  "foo(1,\n# c\n2)\n", "[\n# c\n1\n# d\n]\n", "x = 1 +\n# c\n2\n", "a\n# c\n=begin\nx\n=end\nb\n", "<<A\nx\nA\n# c\nb\n", "a\n# c", "return\n# c\n1\n", "a;\n# c\nb\n"
].each do |source|
  Order.new(source).parse
  puts
end

# Documentation belongs to the class below it.
class Definitions < Ripper
  Ripper::PARSER_EVENTS.each { |event| define_method("on_#{event}") { |*| event } }
  Ripper::SCANNER_EVENTS.each { |event| define_method("on_#{event}") { |text| text } }
  def on_kw(word) = (print word, " "; word)
  def on_bodystmt(*) = print("body ")
  def on_class(*) = print("class! ")
  def on_def(*) = print("def! ")
end
["class A\nend\n", "class A\n  def x\n    y\n  end\nend\n", "begin\n  a\nend\n", "class A\n  # x\nend\n", "def a\n  b\nrescue\n  c\nend\n"].each do |source|
  Definitions.new(source).parse
  puts
end
