# A Deflate that was given nothing yet can be copied; the two go their own ways.
require "zlib"

first = Zlib::Deflate.new(9)
second = first.clone
third = second.dup
p Zlib.inflate(first.deflate("a" * 100, Zlib::FINISH)), Zlib.inflate(second.deflate("b" * 3, Zlib::FINISH))
first.close
p third.closed?, third.total_in, third.adler
