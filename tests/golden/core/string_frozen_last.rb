# Arguments are converted and looked at before anybody minds that the string is frozen.
def attempt(what)
  yield
  puts "#{what}: fine"
rescue => error
  puts "#{what}: #{error.class}: #{error.message}"
end

text = "abc".freeze
other = Object.new
def other.to_str = (puts "to_str"; "x")
def other.to_int = (puts "to_int"; 1)

attempt("index") { text[0] = other }
attempt("index converted") { text[other] = "x" }
attempt("index and length") { text[other, other] = other }
attempt("nil") { text[[]] = "x" }
attempt("no such text") { text["zz"] = "a" }
attempt("such text") { text["b"] = "a" }
attempt("no match") { text[/zz/] = "a" }
attempt("a match") { text[/b/] = "a" }
attempt("no group") { text[/b/, 3] = "a" }
attempt("out of it") { text[99] = "a" }
attempt("range out of it") { text[5..6] = "a" }
attempt("no text") { text[0, 1] = 3 }
attempt("negative length") { text[0, -1] = "a" }
attempt("insert out of it") { text.insert(9, "x") }
attempt("insert") { text.insert(1, other) }
attempt("append_as_bytes of no bytes") { text.append_as_bytes(other) }
attempt("append_as_bytes") { text.append_as_bytes("x", 1) }
attempt("append_as_bytes of nothing") { text.append_as_bytes }
p text
