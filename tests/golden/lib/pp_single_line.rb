# What is printed on a single line goes to a printer of its own class, which breaks no lines and measures nothing.
require "pp"

class Shown
  attr_reader :seen

  def pretty_print(printer)
    @seen = [printer.class, printer.is_a?(PP), printer.is_a?(PrettyPrint), printer.respond_to?(:maxwidth)]
    printer.group(1, "<", ">") do
      printer.text "x"
      printer.comma_breakable
      printer.seplist([1, 2]) { |value| printer.pp value }
      printer.nest(3) { printer.breakable "--" }
    end
  end
end

shown = Shown.new
line = +""
p PP.singleline_pp(shown, line).equal?(line), line, shown.seen
p PP.pp(shown, +""), shown.seen
p PP.singleline_pp({1 => [shown, "x" * 100, nil], "b" => shown}, +"")
list = [1]
list << list
p PP.singleline_pp(list, +"")
PP.singleline_pp([Struct.new(:q).new(1), 1..2, /x/, true], $stdout)
puts

class Holder
  def initialize = (@one = 1; @all = [self])
end
puts PP.singleline_pp(Holder.new, +"").gsub(/0x\h+/, "0x")
puts Shown.new.pretty_print_inspect

# The same of PrettyPrint.
text = PrettyPrint.singleline_format(+"") do |printer|
  p printer.class, printer.first?, printer.first?
  printer.text "a"
  printer.group(1, "(", ")") do
    printer.breakable
    printer.text "b"
    p printer.first?, printer.first?
  end
  p printer.first?, printer.flush
end
p text
