# Makes transcode.txt, the conversion tables that no library has, under CRuby: ruby transcode.rb > transcode.txt
#
# A table begins with a line "= NAME BASE" and says where an encoding differs from its base. Lines "CODE CHARS" give what
# the codes from CODE on stand for, one character each; lines "<CHAR CODE COUNT" what the characters from CHAR on are
# written as, where that is not the reverse. U+FFFD and the code 0 stand for nothing.
#
# A table "= SOURCE > DESTINATION" has the pictures of the mobile carriers, which are private characters of Unicode to each
# of them. Lines "CHAR CHARS" are as above; a line "CHAR=CHARS" gives one character that becomes several.

BASES = {
  "EUC-JIS-2004" => "EUC-JP",
  "Big5-HKSCS" => "Big5",
  "Big5-UAO" => "Big5",
  "CP950" => "Big5",
  "CP951" => "CP950",
  "GB12345" => "GB2312",
  "SJIS-DoCoMo" => "Windows-31J",
  "SJIS-KDDI" => "Windows-31J",
  "SJIS-SoftBank" => "Windows-31J",
  "stateless-ISO-2022-JP-KDDI" => "CP51932",
}
CARRIERS = %w[UTF-8 UTF8-DoCoMo UTF8-KDDI UTF8-SoftBank]
NOTHING = "\uFFFD"

HIGH = (0x80..0xFF).to_a
ONE = HIGH.map { |byte| [byte].pack("C") }
TWO = HIGH.product((0x40..0xFF).to_a).map { |pair| pair.pack("C2") }
THREE = HIGH.product(HIGH).map { |pair| pair.pack("C2") }

# The encoding whose characters the codes of +name+ are.
def unicode_of(name)
  carrier = name[/DoCoMo|KDDI|SoftBank/]
  carrier ? "UTF8-#{carrier}" : "UTF-8"
end

# The code without the mark that the set without states has before it.
def plain(name, code) = name.start_with?("stateless") ? code[1..] : code

def codes_of(name)
  case name
  when /stateless/ then THREE.map { |pair| "\x92".b + pair }
  when /EUC/ then ONE + TWO + THREE.map { |pair| "\x8F".b + pair }
  else ONE + TWO
  end
end

def decode(name, code)
  char = code.dup.force_encoding(name).encode(unicode_of(name)).force_encoding("UTF-8")
  char if char.size == 1
rescue EncodingError
  nil
end

def encode(name, char)
  char.dup.force_encoding(unicode_of(name)).encode(name).b
rescue EncodingError
  nil
end

def number(code) = code.unpack("C*").inject { |sum, byte| sum << 8 | byte }

CHARS = [*0x80..0xD7FF, *0xE000..0x2FFFF].map { |code| [code].pack("U") }

# [[start, items]...] of pairs that stand next to each other.
def runs(pairs, successor)
  pairs.slice_when { |before, after| !successor.call(before, after) }
end

def table(name, base)
  puts "= #{name} #{base}"
  reverse = {}
  differing = codes_of(name).filter_map do |code|
    char = decode(name, code)
    next if char == decode(base, plain(name, code))
    reverse[char] ||= code if char
    [number(code), char || NOTHING]
  end
  runs(differing, ->(a, b) { a[0] + 1 == b[0] && b[0] & 0xFF != 0 }).each do |run|
    puts "%X %s" % [run[0][0], run.map(&:last).join]
  end
  written = CHARS.filter_map do |char|
    code = encode(name, char)
    guess = reverse[char] || encode(base, char)
    guess = "\x92".b + guess if guess && !reverse[char] && name.start_with?("stateless")
    [char.ord, code ? number(code) : 0] if code != guess
  end
  next_pair = ->(a, b) { a[0] + 1 == b[0] && (b[1] == 0 ? a[1] == 0 : a[1] + 1 == b[1]) }
  runs(written, next_pair).each { |run| puts "<%X %X %d" % [run[0][0], run[0][1], run.size] }
end

def exchange(source, destination)
  puts "= #{source} > #{destination}"
  single, several = CHARS.filter_map do |char|
    found = begin
      char.dup.force_encoding(source).encode(destination).force_encoding("UTF-8")
    rescue EncodingError
      NOTHING
    end
    [char.ord, found] if found != char
  end.partition { |_, found| found.size == 1 }
  runs(single, ->(a, b) { a[0] + 1 == b[0] }).each { |run| puts "%X %s" % [run[0][0], run.map(&:last).join] }
  several.each { |code, found| puts "%X=%s" % [code, found] }
end

$stdout.set_encoding("UTF-8")
BASES.each { |name, base| table(name, base) }
CARRIERS.permutation(2) { |source, destination| exchange(source, destination) }
