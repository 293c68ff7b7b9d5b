# Bodies with an ensure clause inside each other, whose clauses leave, or may leave, what is around them.
def nest(depth, body, clause)
  depth.downto(1) { |i| body = "begin; #{body}; ensure; $log << #{i}; #{clause.gsub("I", i.to_s)}; end" }
  body
end

def run(name, depth, code)
  $log = []
  eval("def out_#{name}; #{code}; end")
  value = begin; send("out_#{name}") { |y| y }; rescue Exception => e; [e.class, e.message, e.cause&.message]; end
  p [name, depth, value, $log.size, $log.first(12), $!]
end

[1, 3, 4, 5, 6, 9].each do |n|
  run("a", n, nest(n, "7", "return I"))
  run("b", n, nest(n, "raise 'x'", "return I"))
  run("c", n, nest(n, "return 9", "return I if I == 3"))
  run("d", n, nest(n, "raise 'x'", "return I if I == 2"))
  run("e", n, "i = 0; while (i += 1) < 3; #{nest(n, "next", "break I if i == 2")}; end")
  run("f", n, "i = 0; while (i += 1) < 3; #{nest(n, "redo if (i += 1) < 6; i", "next if I == 4")}; end; i")
  run("g", n, "x = 5; #{nest(n, "x = 6; return x", "x = I")}")
  run("h", n, "[1, 2].map { |y| #{nest(n, "next y", "next y + I if I == 1")} }")
  run("i", n, "[1, 2].each { |y| #{nest(n, "raise 'x'", "break y * I if I == 2")} }")
  run("j", n, nest(n, "raise 'x'", "raise I.to_s if I < 4"))
  run("k", n, "n = 0; begin; #{nest(n, "raise 'x' if (n += 1) < 3; n", "$log << $!.inspect")}; rescue; retry; end")
  run("l", n, "lambda { |y| #{nest(n, "return y", "return I if I == 2")} }.(4).to_s + 's'")
  run("m", n, "[1, 2].each { |y| #{nest(n, "return y", "return I if I == 2")} }")
  run("n", n, "catch(:t) { #{nest(n, "throw :t, 3", "throw :t, I if I == 2")} }")
  run("o", n, "[0, #{nest(n, "yield(1)", "nil")}, #{nest(n, "yield(2)", "return I if I == 1 && $log.size > 3")}]")
  run("p", n, "begin; raise 'outer'; rescue; #{nest(n, "$log << $!.message; return 3", "return I + 10 if I == 2")}; end")
  run("q", n, nest(n, "begin; raise 'x'; rescue => e; return e.message; end", "begin; return I if I == 2; rescue; 1; ensure; $log << :c; end"))
end
