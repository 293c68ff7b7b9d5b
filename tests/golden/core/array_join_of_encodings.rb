# Array#join of strings in several encodings, of numbers, and of arrays within arrays.

def attempt
  made = yield
  [made, made.encoding, made.valid_encoding?, made.ascii_only?]
rescue StandardError => error
  [error.class, error.message]
end

ascii = "a".encode("US-ASCII")
empty = "".encode("US-ASCII")
binary = "b".b
high = "\xFF".b
latin = "\xE4".dup.force_encoding("ISO-8859-1")
utf8 = "ä"
broken = "\xE3\x81"
wide = "w".encode("UTF-16LE")
no_wide = "".encode("UTF-16LE")
dummy = "j".encode("ISO-2022-JP")
strings = { ascii:, empty:, binary:, high:, latin:, utf8:, broken:, wide:, no_wide:, dummy:, number: 12, symbol: :"ö", nested: ["x", [ascii, 3]],
            hollow: [] }

strings.each do |a, first|
  strings.each do |b, second|
    made = [nil, ",", "–", high, no_wide].flat_map do |separator|
      [[first, second], [first, second, first]].map do |list|
        text, encoding, *ranges = attempt { list.join(separator) }
        ranges.empty? ? text.name[/\w+$/] : "#{text.b.inspect}:#{encoding}#{"?" unless ranges[0]}"
      end
    end
    puts "#{a} #{b} #{made.join(" ")}"
  end
end
p attempt { [utf8, latin].join }
p attempt { [utf8, utf8].join(latin) }
p attempt { [ascii, 12, [wide]].join(",") }

p attempt { (1..120).map(&:to_s).join(", ") }
p attempt { (1..120).map(&:to_s).push("ä").join(", ") }
p attempt { (1..120).map(&:to_s).push("ä", latin).join(", ") }
p attempt { (1..40).to_a.join("–") }
p attempt { [1, 2**70, -3, 1.0e20, 1r, 2i, nil, true, false, :a].join("|") }
p attempt { [utf8, [latin]].join }
p attempt { [[utf8, 1], [2, [utf8]]].join(latin) }
p attempt { [broken[0], broken[1]].join }
p attempt { ["\xE3", "\x81", "\x82"].join }

list = [1, 2]
list << list
p attempt { list.join(",") }
p attempt { [1, [2, list]].join(",") }

# Conversions.
object = Object.new
def object.to_str = "str"
other = Object.new
def other.to_ary = [1, ["two", self.class]]
third = Object.new
def third.to_s = "third"
p attempt { [object, other, third].join("-") }
p attempt { ["é", third, object].join("-") }
p attempt { [1].join(1) }
p attempt { [].join(1) }
p attempt { [1].join(object) }

class Text < String; end
p attempt { [Text.new("t"), "u"].join(Text.new("+")) }, [Text.new("t")].join.class

# The first element's encoding is the result's, unless it is an array.
p attempt { [third, 1].join }, attempt { [[third], 1].join }, attempt { [[], third].join }, attempt { [[[]], :a].join }
binary_to_s = Object.new
def binary_to_s.to_s = "b".b
p attempt { [binary_to_s, "a"].join }, attempt { [binary_to_s, "ä"].join(",") }, attempt { [1, binary_to_s].join }

# Elements that change the array.
changing = [1, nil, 3]
changing[1] = Object.new.tap { |o| o.define_singleton_method(:to_s) { changing.clear; "cleared" } }
p attempt { changing.join(",") }

# Redefined conversions are called.
class Integer
  alias_method :plain_to_s, :to_s
  def to_s(*) = "<#{plain_to_s}>"
end
p attempt { [1, [2]].join(",") }
class Integer
  alias_method :to_s, :plain_to_s
end
p attempt { [1, [2]].join(",") }
class Symbol
  alias_method :plain_to_s, :to_s
  def to_s = "<#{plain_to_s}>"
end
p attempt { [:a, [:b]].join(",") }
