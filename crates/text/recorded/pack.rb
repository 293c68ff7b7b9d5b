# Records what CRuby's pack and unpack answer, one case a line, fields separated by tabs:
#   p, format, arguments, answer      with arguments tagged: i integer, f float bits, s string, n nil
#   u, format, bytes, answer
# Native sizes differ between platforms, so directives whose size does are left to the tests themselves.
RANDOM = Random.new(5)
COUNT = (ARGV[0] || 12).to_i

def escape(text) = text.b.gsub(/[\\\x00-\x1f\x7f-\xff]/n) { "\\x%02x" % $&.ord }

def tagged(argument)
  case argument
  when Integer then "i#{argument}"
  when Float then "f#{argument.nan? ? "7ff8000000000000" : [argument].pack("G").unpack1("H16")}"
  when String then "s#{argument}"
  when nil then "n"
  end
end

def failure
  yield
rescue ArgumentError, RangeError, TypeError => error
  "#{error.class}: #{error.message}"
end

def encoding(string) = { "US-ASCII" => "a", "UTF-8" => "u" }.fetch(string.encoding.name, "b")

def pack(format, *arguments)
  answer = failure { packed = arguments.pack(format); "#{encoding(packed)}#{packed.b}".b }
  puts(["p", format, *arguments.map { tagged(_1) }, answer].map { escape(_1) }.join("\t"))
end

def unpack(format, bytes)
  answer = failure do
    bytes.unpack(format).map { |item| item.is_a?(String) ? "#{encoding(item)}#{item}".b : item.is_a?(Float) && item.nan? ? "fnan" : tagged(item) }.join(" ").b
  end
  puts(["u", format, bytes, answer].map { escape(_1) }.join("\t"))
end

INTEGERS = [0, 1, -1, 127, 128, 255, 256, 0x1234, -0x8000, 2**31, -2**31, 2**32 + 7, 2**63 - 1, -2**63, 2**64 - 1, 2**64 + 5, -2**70]
%w[c C s S s< s> S< S> i I i> l L l< l> L> q Q q> Q< n N v V].each do |directive|
  ["", "2", "*", "0"].each { |count| pack("#{directive}#{count}", *INTEGERS.sample(3, random: RANDOM)) }
  INTEGERS.each { pack(directive, _1) }
  COUNT.times { unpack("#{directive}#{["", "2", "*", "0", "5"].sample(random: RANDOM)}", RANDOM.bytes(RANDOM.rand(0..20))) }
end
FLOATS = [0.0, -0.0, 1.5, -1e10, 1e300, -1e300, 3.4028235e38, 3.40282351e38, 1e-46, 0.1, Float::INFINITY, Float::NAN]
%w[e E f F d D g G].each do |directive|
  FLOATS.each { pack(directive, _1) }
  pack("#{directive}*", 1, 2.5)
  COUNT.times { unpack("#{directive}#{["", "2", "*"].sample(random: RANDOM)}", RANDOM.bytes(RANDOM.rand(0..20))) }
end
TEXTS = ["", "a", "abc", "abc \0", "\0\0", "1010", "111100001111", "deadBEEF", "xyz!", "\u3042", "hello world " * 9, "=\t \n=C3\r\n", "a \n", "\xff\xfe".b]
%w[a A Z b B h H].each do |directive|
  TEXTS.each { |text| ["", "0", "2", "5", "20", "*"].each { |count| pack("#{directive}#{count}", text); unpack("#{directive}#{count} a", text.b) } }
  pack("#{directive}3", nil)
end
%w[u m M].each do |directive|
  TEXTS.each { |text| ["", "0", "1", "2", "3", "10", "48", "70", "*"].each { |count| pack("#{directive}#{count}", text) }; unpack("#{directive}a*", text.b) }
  COUNT.times do
    bytes = RANDOM.bytes(RANDOM.rand(0..130))
    pack(directive, bytes)
    unpack("#{directive}a", [bytes].pack(directive))
    unpack("#{directive}a", [bytes].pack(directive).chars.tap { |chars| 3.times { chars[RANDOM.rand(chars.size)] = RANDOM.rand(32..127).chr } unless chars.empty? }.join.b)
  end
end
["YWJj\n", "YWJj", "YWJ", "YWI=", "YW==", "YQ==", "YQ=", "YQ", "Y", "", "=", "Y!W@Jj", "YQ==YQ==", "YWI=YWI=", "Y=Q=", "YR==", "YWJ=", "====", "YWJjYQ==", "YW=="].each do |text|
  unpack("m", text.b); unpack("m0", text.b); unpack("ma*", text.b); unpack("mm", text.b)
end
["a=3Db=\nc=C3", "a=zz", "=", "=\r\nx", "=\r", "=4", "=4z", "a==", "=c3=a9", "a\r\nb"].each { |text| unpack("M", text.b) }
["#86)C\n", "#86)C", "#86)C\r\n", "#86)CX\n#86)C\n", "M86)C", "", " \n", "`\n", "#8", "a86)C", "#86)C\n\n", "!80``\n"].each { |text| unpack("ua*", text.b) }
[0, 1, 0x7f, 0x80, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff, 0x110000, 0x1fffff, 0x200000, 0x3ffffff, 0x4000000, 0x7fffffff, 0xd800, -1].each do |code|
  pack("U", code)
  pack("CU", 1, code)
  unpack("U*", [code].pack("U").b) if code >= 0
end
["\xff", "\xe3\x81", "\xe3a", "\xe3ab", "\xc0\x80", "\x80", "\xfe", "\xf0\x80\x80\x80", "\u3042\u3044", "a\u3042", ""].each { |text| unpack("U", text.b); unpack("U*", text.b); unpack("U2a*", text.b) }
[0, 1, 127, 128, 16383, 16384, 2**63 - 1, 2**63, 2**64, 2**70, -1].each { |n| pack("w", n) }
pack("w*", 1, 300, 2**80)
["\x81\x00\x05\x80", "\x05", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "\x80", ""].each { |text| unpack("w", text.b); unpack("w*", text.b); unpack("w2a*", text.b) }

[["y", 1], ["\x01", 1], ["C y", 1], ["a!", "a"], ["C!", 1], ["C<", 1], ["n_", 1], ["U>", 1], ["s<>", 1], ["s<<", 1], ["s!<", 1], ["s<!", 1], ["%"], ["C"], ["a"], ["U"], ["m"], ["C3", 1, 2],
 ["x-1"], ["X"], ["aX2", "a"], ["@3"], ["a3@1", "abc"], ["a3@5", "abc"], ["x3"], ["x*C", 1], ["x0C", 1], ["x"], ["a2X*", "abc"], ["a2X", "abc"], ["C2@", 1, 2], ["@*C", 1], ["a@0a", "a", "b"],
 ["C99999999999999999999", 1], ["C#comment\nC", 1, 2], ["C # comment", 1], ["C\t\n\v\f\rC", 1, 2], ["mU", "a", 1], ["Um", 1, "a"], [""], ["MU", "a", 0x3042], ["U0C*", 0xe3, 0x81, 0x82], ["C0U", 0x3042],
 ["R", 1], [".", 1], ["^", 1], ["U0"], ["C*", 1, 2, 3], ["C*C", 1, 2, 3], ["s*x2", 1, 2], ["A3A3A3", "a", "bcd", "efghi"], ["Z*Z*", "ab", "cd"], ["n2a*", 1, 2, "xyz"], ["C\0C", 1, 2], ["C_", 1], ["U", 2**70]].each { pack(*_1) }
[["y", ""], ["\xff".b, ""], ["%", ""], ["a!", ""], ["s<>", ""], ["x4", "abc"], ["x3a", "abc"], ["x*a", "abc"], ["X", "abc"], ["x2X1a", "abc"], ["@1a", "abc"], ["@5a", "abc"], ["@*a", "abc"], ["@", "abc"], ["a2@a", "abc"],
 ["a99999999999999999999", "a"], ["a1@1a1@0a1", "abc"], ["C C", "abc"], ["C-1", "abc"], ["Z*a", "abc \0d"], ["Z4a", "abc\0\0d"], ["Z0a", "abc"], ["Z2 a", "abc"], ["A*", "abc  \0"], ["A2 x A", "ab c"], ["b9", "\x05\x06"], ["B8b8", "\x05"],
 ["h3", "\xab\xcd".b], ["a3/a", "abc"], ["R", "\xff".b], ["^", "abc"], ["s2C", "abc"], ["n*C*", "abcde"], ["# only a comment", "a"], ["C\0C", "ab"], ["x2X*a", "abc"], ["x2X3a", "abc"]].each { unpack(_1, _2.b) }
