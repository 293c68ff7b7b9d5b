# Text outside groups is in the output before anybody flushes, until a place comes where a line may be broken.
require "pp"

printer = PP.new
printer.text("first")
printer.text(" second")
p printer.output

printer.group(1, "(", ")") { printer.text("inner") }
printer.breakable
printer.text("after")
p printer.output
printer.flush
p printer.output

p PrettyPrint.format("".dup, 10) { |q| q.text("12345"); q.group(1, "[", "]") { q.text("a"); q.breakable; q.text("bcdef") } }

# Who asks a group whether this is the first time gets true once.
printer.group { printer.text("x"); p printer.current_group.first?, printer.current_group.first? }
