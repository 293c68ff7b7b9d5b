# Characters of long strings by number, again and again, beside a plain array of them: going through a string remembers where
# its characters lie, and writing to it in any way must not leave old places behind.
class Steps
  def initialize(seed) = @state = seed
  def below(limit) = (@state = (@state * 1_103_515_245 + 12_345) % 2**31) / 8 % limit
end

ALPHABET = ["a", "é", "日", "😀", "\n", "z", "ß"].freeze

def text(steps, length) = Array.new(length) { ALPHABET[steps.below(ALPHABET.size)] }

def check(string, chars, steps)
  12.times do
    i = steps.below(chars.size + 2) - 1
    raise "char #{i}" unless string[i] == chars[i]
    raise "char -#{i}" unless i < 1 || string[-i] == chars[-i]
    count = steps.below(700)
    raise "part" unless i < 0 || string[i, count] == chars[i, count]&.join
    at = steps.below(chars.size)
    char = ALPHABET[steps.below(ALPHABET.size)]
    raise "index" unless string.index(char, at) == chars[at..].index(char)&.+(at)
    raise "rindex" unless string.rindex(char, at) == chars[0..at].rindex(char)
    found = string.match(/#{char}/, at)
    raise "match" unless found&.begin(0) == chars[at..].index(char)&.+(at)
  end
  raise "length" unless string.length == chars.size
end

def change(string, chars, steps)
  at = steps.below(chars.size)
  case steps.below(11)
  when 0
    string << "é日"
    chars.push("é", "日")
  when 1
    string[at] = "ß"
    chars[at] = "ß"
  when 2
    string.insert(at, "日a")
    chars.insert(at, "日", "a")
  when 3
    string.slice!(at, 3)
    chars.slice!(at, 3)
  when 4
    string.reverse!
    chars.reverse!
  when 5
    string.prepend("é")
    chars.unshift("é")
  when 6
    other = text(steps, 600 + steps.below(600))
    string.replace(other.join)
    chars.replace(other)
  when 7
    string.tr!("a", "é")
    chars.map! { |c| c == "a" ? "é" : c }
  when 8
    string.force_encoding("BINARY")
    string[3000 % string.bytesize]
    string.force_encoding("UTF-8")
  when 9
    string.squeeze!("z")
    chars.replace(string.chars)
  when 10
    keep = chars.size - steps.below(20)
    string.slice!(keep..)
    chars.slice!(keep..)
  end
end

steps = Steps.new(7)
strings = Array.new(6) { |i| text(steps, 500 + i * 700) }.map { |chars| [chars.join, chars] }
60.times do |round|
  string, chars = strings[steps.below(strings.size)]
  check(string, chars, steps)
  change(string, chars, steps)
  check(string, chars, steps)
  GC.start if round % 20 == 0
end
frozen = strings[5][0].dup.freeze
shared = frozen[10, 2000]
p frozen[1000] == frozen.chars[1000], shared[1500] == shared.chars[1500], frozen.length, shared.length
broken = +"é" * 900
broken << "\xE3"
p broken[500], broken.length
broken << "\x81\x82x"
p broken[900], broken[901], broken.length, broken[899]
utf16 = ("é日" * 900).encode("UTF-16LE")
p utf16[1700].encode("UTF-8"), utf16.length, utf16[-1].encode("UTF-8"), utf16[1799], utf16[1800], utf16[1801]
puts "done"
