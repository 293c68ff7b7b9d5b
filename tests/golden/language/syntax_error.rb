# A syntax error inside eval is an exception that can be rescued; the program itself is fine.
begin
  eval("def broken(; end")
rescue SyntaxError => error
  p error.class, error.message.lines.size > 1, error.path
end
begin
  eval("1 +")
rescue SyntaxError => error
  p error.message.include?("unexpected end-of-input")
end
begin
  eval("break")
rescue SyntaxError => error
  puts error.message.lines.grep(/break/).size
end
p eval("1 + 1"), (eval("@@x") rescue $!.class)
[
  "x = = 1", "def f(a, a) end", "class lower; end", "1..2..3", "return = 5", "def m; Const = 1; end",
  "{ a: 1, a: 2 }; [", "yield", "alias $x y", "retry", "foo(&b, 1)", "self = 1", "nil += 1", "case 1; in a, a; end",
  "proc { |a| _1 }", "BEGIN; end", "\"\\u{110000}\"", "/(/", "undef 1", "%w(a", "<<X\n",
].each do |source|
  eval(source)
  puts "#{source.inspect}: no error"
rescue SyntaxError
  puts "#{source.inspect}: error"
end
