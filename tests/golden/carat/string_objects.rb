# How many objects a string method makes: its result, and no string for a literal that is only looked at.
# gc_stress: while a poll is due, literals are copied: the method might be redefined there.
def objects(label, turns = 100)
  yield
  yield
  GC.disable
  before = GC.stat(:total_allocated_objects)
  i = 0
  while i < turns
    yield
    i += 1
  end
  made = GC.stat(:total_allocated_objects) - before
  GC.enable
  puts "#{label}: #{made.fdiv(turns)}"
end

a = "abc"
b = "déf"
n = 12_345
words = %w[a b c d]
mixed = [1, :a, "s", nil, 2.5, true]

objects("a + b") { a + b }
objects("a + literal + b") { a + "x" + b }
objects("literal + a + literal") { "<" + a + ">" }
objects("a + b + a + b") { a + b + a + b }
objects("append a literal") { a << "" }
objects("compare with a literal") { a == "abc" }
objects("format") { format("%d %s", n, a) }
objects("literal % number") { "%05d" % n }
objects("literal * number") { "-" * 20 }
objects("join") { words.join(", ") }
objects("join of all kinds") { mixed.join("-") }
objects("Integer#to_s") { n.to_s }
objects("Symbol#inspect") { :"foo bar".inspect }
objects("Array#inspect") { mixed.inspect }
objects("start_with?") { a.start_with?("ab") }
objects("include?") { a.include?("b") }
objects("index") { a.index("c") }
objects("tr") { a.tr("a-c", "A-C") }
objects("sub") { a.sub("b", "x") }

def dumped_as_one?(string)
  require "objspace"
  text = ObjectSpace.dump(string)
  [text[/"coderange":"(\w+)"/, 1], text.include?('"embedded":true')]
end
p dumped_as_one?(a + "x" + b), dumped_as_one?("<" + a + ">"), dumped_as_one?(format("%d %s", n, a))
p dumped_as_one?("-" * 20), dumped_as_one?(words.join(", ")), dumped_as_one?(n.to_s), dumped_as_one?(:ab.inspect)
p dumped_as_one?(mixed.inspect)
