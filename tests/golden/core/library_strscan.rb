# StringScanner.
require "strscan"

s = StringScanner.new("test string 42 é")
p s.scan(/\w+/), s.pos, s.scan(/\w+/), s.matched, s.scan(/\s+/), s.check(/\w/), s.pos
p s.scan_until(/g/), s.pre_match, s.post_match, s.matched_size
p s.skip(/ /), s.scan_integer, s.eos?, s.rest, s.rest_size, s.charpos
p s.exist?(/é/), s.getch, s.getch, s.getch, s.pos, s.charpos, s.eos?
s.reset
p s.scan(/(?<first>\w)(\w+)?/), s[0], s[1], s[:first], s["first"], s.captures, s.values_at(0, 1), s.named_captures, s.size
p s.unscan.pos, s.bol?, s.inspect
p s.scan("test"), s.matched, s.peek(4), s.get_byte, s.peek_byte, s.scan_byte, s.inspect
s.string = "a\nb"
p s.scan(/^a$/), s.scan(/\n/), s.bol?, s.scan(/^b/), s.inspect
s << "cd"
p s.skip_until(/d/), s.terminate.eos?, s.scan(/x/), s.matched?
begin
  s.unscan
rescue StringScanner::Error => e
  puts e.message
end
begin
  s.pos = 99
rescue RangeError => e
  puts e.message
end
begin
  s.scan(1)
rescue TypeError => e
  puts e.class
end
s = StringScanner.new("ab ab", fixed_anchor: true)
p s.scan(/\Aab/), s.skip(/ /), s.scan(/\Aab/), s.fixed_anchor?
p s.scan_full(/ab/, false, true), s.search_full(/b/, true, false), s.check_until(/x/)

# Patterns of a fixed encoding, lookbehind, anchors of a scanner that keeps its string together, groups that took no part.
s = StringScanner.new("\xFFab".b)
p s.scan(/[\x80-\xff]/n), s.scan(/(?<=.)a/), s.scan(/a(?<=a)/)
s = StringScanner.new("ab\ncd", fixed_anchor: true)
p s.scan(/ab/), s.scan(/^b/), s.scan(/\n/), s.scan(/(?<=\n)c/), s.scan_until(/(d)(e)?/), s.captures
s = StringScanner.new("rix é")
p s.scan(/r(?<a>i)(?<n>y)?/), s[:a], s[:n], s[-1], s[5], s.values_at(1, 2, 9), s.named_captures, s.size, s.inspect
p s.scan(/(?<q>z)/), s[:q], s.named_captures, $~
