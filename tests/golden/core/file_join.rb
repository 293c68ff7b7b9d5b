# Components, arrays among them, which are components of their own.
def show
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

show { File.join("a", "b", "c") }
show { File.join("a/", "/b", ["c", ["d", "/e/"], "f"]) }
show { [File.join("a", []), File.join([], "a"), File.join("", "a"), File.join([["/a"], "b"], "c")] }

nested = ["x"]
nested << nested
show { File.join("q", nested) }
show { File.join(nested) }
twice = ["b"]
show { File.join(twice, twice, [twice]) }

# What is asked for its path may change the array.
list = ["a"]
path = Object.new
path.define_singleton_method(:to_path) { list << "more" if list.size < 4; "o" }
list << path
show { File.join(list, path) }

show { File.join("a", 1) }
show { File.join("a\0b") }
show { File.join("a".encode("UTF-16LE"), "b") }
show { File.join("a".b, "é").encoding }
show { File.join(["a".b], "b".dup.force_encoding("EUC-JP")).encoding }
show { File.join("é".encode("ISO-8859-1"), "b").encoding }
