# StringScanner: what it matches, where it stands afterwards, and what it says of both.
require "strscan"

def try
  yield
rescue StandardError => e
  [e.class, e.message]
end

# Scanning with patterns, at the position and from there on
s = StringScanner.new("test string 42")
p s.scan(/\w+/), s.scan(/\w+/), s.pos, s.scan(/\s+/), s.matched?, s.check(/\w+/), s.pos, s.match?(/\w+/), s.skip(/\w+/)
p s.matched, s.matched_size, s.pre_match, s.post_match
p s.scan_until(/\d/), s.matched, s.pre_match, s.post_match, s.unscan.pos
p s.exist?(/2/), s.search_full(/4/, false, true), s.check_until(/2/), s.skip_until(/2/), s.eos?, s.rest?, s.rest, s.rest_size
p s.scan(/$/), s.scan(/x*/), s.scan(/x/), s.matched
s.reset
p s.scan_full(/te/, true, false), s.scan_full(/st/, false, true), s.pos, s.search_full(/g/, true, false), s.pos

# and with strings
s = StringScanner.new("foo bar baz")
p s.scan("foo"), s.scan("x"), s.matched, s.scan_until("bar"), s.pre_match, s.matched, s.post_match, s.matched_size
p s.exist?("baz"), s.skip_until("z"), s.check_until("z"), s.search_full("a", true, false), s.scan(""), s.matched
to_str = Object.new
def to_str.to_str = "b"
s.reset
p s.skip_until(to_str), s.peek(3)
[3, nil, :a, Object].each { |pattern| p try { s.scan(pattern) } }

# Groups
s = StringScanner.new("Fri Dec 12 1975")
p s[0], s[:day], s.size, s.captures, s.values_at(0), s.named_captures
p s.scan(/(?<wday>\w+) (?<month>\w+) (?<day>\d+)(?<x>y)?/), s.size, s.captures, s.values_at(0, -1, 1, :day, 9, -9), s.values_at
p s[0], s[1], s[-2], s["month"], s[:x], s[4], s[5], s[-5], s[1.9], s.named_captures
p try { s[:none] }, try { s["nöne"] }, try { s[nil] }, try { s[0..1] }
p s.scan(/(?<a>z)/), s.named_captures, s[:a], s.size
s = StringScanner.new("aaa")
p s.scan(/(?<x>b)|(?<x>a)/), s[:x], s.named_captures
p s.scan(/(?<x>b)?(?<y>a)/), s.named_captures, s[1]
s = StringScanner.new("été")
p s.scan(/(?<é>.)/), s["é"], s.named_captures, s.named_captures.keys[0].encoding

# Groups of a pattern are counted until another pattern fails
s = StringScanner.new("abcdefgh")
p s.scan(/(.)(.)/), s.size, s.scan("c"), s.size, s.captures, s[1], s[-1], s[0], s.getch, s.size
p s.scan(/(x)(y)(z)/), s.size, s.getch, s.size, s.captures

# Anchors
s = StringScanner.new("a\nb")
p s.scan_until(/a/), s.scan(/^/), s.scan(/\A/), s.scan(/$/), s.bol?, s.scan(/\n/), s.bol?, s.scan(/^b/), s.scan(/\z/)
s = StringScanner.new("ab")
p s.getch, s.scan(/(?<=a)b/), s.scan(/\Ab/), s.fixed_anchor?
s = StringScanner.new("abc\nd", fixed_anchor: true)
p s.fixed_anchor?, s.getch, s.scan(/\Ab/), s.scan(/^b/), s.scan(/(?<=(a))(b)/), s[1], s[2], s.matched, s.pre_match, s.matched_size
p s.scan_until(/^(d)/), s[1], s.pre_match, s.matched, s.pos, s.unscan.pos, s.scan("c"), s.matched, s.get_byte, s.matched
p s.scan(/\Gd/), s.scan(/\bd/), s.eos?

# Bytes, characters, integers
s = StringScanner.new("été")
p s.getch, s.pos, s.charpos, s.peek_byte, s.scan_byte, s.get_byte, s.matched, s.peek(1), s.charpos, s.getch
p s.getch, s.matched, s.get_byte, s.scan_byte, s.peek_byte, s.peek(2), s.peek(-1)
s = StringScanner.new("ab\xFFc\xC3")
p s.getch, s.getch, s.getch, s.getch, s.getch, s.getch
s.reset
p s.scan("ab"), try { s.scan(/./) }
p try { StringScanner.new("abc").peek(-1) }
["-12x", "+34", "7_0", "-", "+", "", "x", "99999999999999999999999", "007"].each { |t| p StringScanner.new(t).scan_integer }
["ff", "-0x1Fg", "0x", "0xg", "+0", "xyz", "0x" + "f" * 30].each { |t| p StringScanner.new(t).scan_integer(base: 16) }
s = StringScanner.new("12ab")
p s.scan_integer, s.matched, s.pos, s.scan_integer, s.matched, s.scan_integer(base: 16), s.pre_match
p try { s.scan_integer(base: 8) }, try { s.scan_integer(3) }, try { StringScanner.new("12".encode("UTF-16LE")).scan_integer }
p StringScanner.new("1" * 5000).scan_integer == ("1" * 5000).to_i

# The position
s = StringScanner.new("hello")
p s.pos = -2, s.pos, s.pointer, s.pointer = 5, s.rest, try { s.pos = 6 }, try { s.pos = -6 }, try { s.pos = nil }
p s.reset.equal?(s), s.terminate.pos, try { s.unscan }

# A string that somebody else changes
text = +"hello world"
s = StringScanner.new(text)
p s.string.equal?(text), s.scan(/hello (w)/)
text.replace("hel")
p s.pos, s.matched, s[1], s.pre_match, s.post_match, s.rest, s.rest_size, s.eos?, s.bol?, s.peek(3)
p s.scan(/x/), s.scan(""), s.getch, s.scan_byte, s.get_byte, s.peek_byte, s.scan_integer, s.inspect
s.pos = 1
s << "p!"
p text, s.scan(/.*/), (s.string = "new").class, s.pos, s.matched, s.string
p try { s << 3 }, try { StringScanner.new("a".freeze) << "b" }, s.concat("er").string
s.string.force_encoding("BINARY")
p s.scan(/new/).encoding

# Frozen scanners move all the same
s = StringScanner.new("test").freeze
p s.scan(/t/), s.pos, s.frozen?, s.string.frozen?

# Encodings
s = StringScanner.new("é")
latin = "\xE9".dup.force_encoding("ISO-8859-1")
p try { s.scan(latin) }, try { s.scan_until(latin) }, try { s.scan(/\xE9/n) }, s.scan("a".encode("ISO-8859-1"))
s = StringScanner.new("あい".encode("Shift_JIS"))
p s.getch.encoding, s.scan("い".encode("Shift_JIS")).bytes, s.eos?
s = StringScanner.new("ab".encode("UTF-16LE"))
p s.getch.bytes, s.pos, s.charpos

# Copies: they know no names and no fixed anchors
s = StringScanner.new("foo bar")
s.scan(/(?<a>foo)/)
[s.dup, s.clone].each do |copy|
  p copy[0], copy[1], copy.pos, copy.named_captures, try { copy[:a] }, copy.scan(/ /), copy.unscan.pos
end
p s.matched, s[:a]
s = StringScanner.new("xyz", fixed_anchor: true)
s.scan(/x/)
s.scan(/y/)
p s.dup.fixed_anchor?, s.dup.matched, s.dup.pre_match, s.matched

# Making one
p try { StringScanner.new }, try { StringScanner.new(3) }, try { StringScanner.new("a", foo: 1) }
p try { StringScanner.new("a", true, fixed_anchor: true) }, StringScanner.new("a", true).fixed_anchor?
p StringScanner.new("a", {fixed_anchor: true}).fixed_anchor?, StringScanner.new("a", nil).string
p try { Marshal.dump(s) }
%i[pos rest scan_byte matched inspect fixed_anchor? string eos? unscan bol? size captures charpos reset].each do |name|
  p [name, try { StringScanner.allocate.send(name) }]
end
s = StringScanner.new("abc")
s.getch
s.send(:initialize, "xyz")
p s.pos, s.matched, s.rest

# Subclasses with variables
class Lexer < StringScanner
  attr_reader :line

  def initialize(text)
    super
    @line = 1
  end

  def scan(pattern)
    found = super
    @line += found.count("\n") if found
    found
  end
end
lexer = Lexer.new("a\nb")
p lexer.scan(/.*/m), lexer.line, lexer.dup.line, lexer.inspect, lexer.reset.inspect

# inspect
s = StringScanner.new("Thi\#{\n\xE9 is")
p s.inspect
6.times { s.get_byte; puts s.inspect }
p s.terminate.inspect, StringScanner.new("abcde").inspect, StringScanner.new("abcdef").inspect

# What is there
p StringScanner.instance_methods(false).sort, StringScanner.private_instance_methods(false).sort
p StringScanner.constants.sort, StringScanner::Version, StringScanner::Id, StringScanner.must_C_version
p StringScanner::Error.superclass, ScanError.equal?(StringScanner::Error), StringScanner.superclass
p StringScanner.instance_method(:<<) == StringScanner.instance_method(:concat), StringScanner.instance_method(:scan_integer).parameters

# Nothing of this is seen outside
"abc" =~ /b/
StringScanner.new("xyz").scan_until(/z/)
p $~[0]

# Many patterns one after the other, of which the engine gets some
s = StringScanner.new("let x1 = 'it''s' + 0x1f; # done\nlet y = (x1 * 2.5e3)\n" * 3)
tokens = []
until s.eos?
  tokens <<
    if s.skip(/[ \t]+/) then next
    elsif s.scan(/\n|#.*$/) then :end
    elsif s.scan(/(?:let|if)(?!\w)/) then s.matched.to_sym
    elsif s.scan(/(?<q>')(?:[^']|'')*\k<q>/) then [:string, s[:q], s.matched_size]
    elsif s.scan(/0x(\h+)/) then s[1].hex
    elsif s.scan(/\d+(\.\d+)?(?:e(\d+))?/) then [s.matched, s.captures]
    elsif s.scan(/[[:alpha:]]\w*/) then s.matched
    else s.getch
    end
end
p tokens.size, tokens.first(12), tokens.last(9), tokens.tally.max_by(&:last)
