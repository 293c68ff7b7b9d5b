# The library beneath copies no state: a stream under way is not copied, and says so. CRuby copies such an Inflate, but not a fresh one.
require "zlib"

def outcome
  yield
rescue NotImplementedError => error
  [error.class, error.message]
end

data = (1..2000).to_a.join(",")
packed = Zlib.deflate(data)

first = Zlib::Inflate.new
second = first.dup
p first.inflate(packed) == data, second.inflate(packed[0, 1000]).size, first.finished?, second.finished?
p second.inflate(packed[1000..]).size, second.finished?
p outcome { second.dup }

compressing = Zlib::Deflate.new
compressing << "a"
p outcome { compressing.dup }
named = Zlib::Deflate.new
named.set_dictionary("abc")
p outcome { named.clone }

either = Zlib::Inflate.new(32 + Zlib::MAX_WBITS)
copy = either.dup
either.close
p copy.inflate(Zlib.gzip("abc"))
