# String#unpack1: one value of each directive, at offsets, with counts, beside what unpack gives first.

def attempt
  yield
rescue StandardError => error
  [error.class, error.message]
end

data = "\x01\x82\x03\x84\x05\x86\x07\x88\x09\x8A\x0B\x8C\x0D\x8E\x0F\x90 ab\0c  \0".b
directives = %w[C c S s L l Q q J j S> s< L> l< Q> q< N n V v U w D d F f E e G g A a Z B b H h u M m @ X x]
counts = ["", "0", "1", "3", "*"]
directives.each do |letter|
  next if %w[J j].include?(letter)
  counts.each do |count|
    format = letter + count
    made = [0, 3, data.bytesize].map do |offset|
      one = attempt { data.unpack1(format, offset: offset) }
      all = attempt { data.unpack(format, offset: offset).first }
      same = one == all || one.respond_to?(:nan?) && one.nan?
      "#{one.inspect} #{one.encoding if one.is_a?(String)}#{" but #{all.inspect}" unless same}"
    end
    puts "#{format} #{made.join(", ")}"
  end
end

p data.unpack1("x2C"), data.unpack1("@3 C"), data.unpack1("x3 X C"), data.unpack1("@2C", offset: 3), data.unpack1("a2 N")
p data.unpack1(""), data.unpack1("x"), data.unpack1("x C0 n"), "".unpack1("C"), "".unpack1("a"), "".unpack1("C3"), "a".unpack1("N")
p data.unpack1("C # the first\n n"), data.unpack1("  n")
p "日本".unpack1("U"), "日本".unpack1("U*"), "日本".unpack1("U", offset: 3), "日本".unpack1("C"), "日本".unpack1("a4")
p attempt { "日本".unpack1("U", offset: 1) }
p "abc".unpack1("m"), "YWJj".unpack1("m"), "YWJj".unpack1("m0"), attempt { "YW".unpack1("m0") }, "=41=\n".unpack1("M"), "#86)C\n".unpack1("u")

p attempt { data.unpack1("N", offset: -1) }
p attempt { data.unpack1("N", offset: data.bytesize + 1) }
p attempt { data.unpack1("N", offset: data.bytesize) }
p attempt { data.unpack1("N", offset: "1") }
p attempt { data.unpack1("N", offset: 1.9) }
p attempt { data.unpack1("N", offset: nil) }
p attempt { data.unpack1("N", offset: 2**70) }
p attempt { data.unpack1("N", other: 1) }
p attempt { data.unpack1("N", 1) }
p attempt { data.unpack1 }
p attempt { data.unpack1(nil) }
p attempt { data.unpack1(1) }
p attempt { data.unpack1("y") }
p attempt { data.unpack1("%") }
p attempt { data.unpack1("N y") }
p attempt { data.unpack1("a_") }
p attempt { data.unpack1("x100") }
p attempt { data.unpack1("X") }
p attempt { data.unpack1("@100") }
p attempt { data.unpack1("N".encode("UTF-16LE")) }
format = Object.new
def format.to_str = "n"
p attempt { data.unpack1(format) }

# What is cut out of a string is its own.
source = +"abcdefgh" * 20
part = source.unpack1("a100")
source[0] = "X"
part[1] = "Y"
p source[0, 4], part[0, 4], part.encoding, part.frozen?
frozen = "frozen".freeze
p frozen.unpack1("a3").frozen?, frozen.unpack1("a*") << "!"

class Text < String; end
p Text.new("text").unpack1("a2").class
10.times { |i| data.unpack1("a10"); GC.start if i == 5 }
p Array.new(300) { |i| data.unpack1("a#{i % 20}") }.uniq.size
p data.unpack("C2"), data.unpack("C30").size, data.unpack("a2 n") { |v| p v }
