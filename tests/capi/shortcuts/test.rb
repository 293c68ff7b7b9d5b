# What headers do by themselves, and functions that ask no method.

require "./shortcuts"

def try
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

S = Shortcuts
try { S.two_more(1) }
try { S.two_more(1, false) }
try { S.two_more(1, 2, 3) }
try { S.two_more }
try { S.two_more(1, 2, 3, 4) }
try { S.rest_between(1, 2) }
try { S.rest_between(1, 2, 3, nil) { :block } }
try { S.rest_between(1) }
try { S.optional_between(1, 2) }
try { S.optional_between(1, 2, 3) }
try { S.only_rest }
try { S.only_rest(1, false, a: 1) }
try { S.with_keywords(a: 1) }
try { S.with_keywords(1, b: 2) }
try { S.ignored(1, 2) }
try { S.ignored(1) }
try { S.formatted_later(1) }
try { S.formatted_later(1, 2, 3) }
try { S.none }
try { S.none(1) }

p S.after_writes(+"some", " bytes more than a slot has, which are one hundred and twenty or so, so that they move away" * 2).map { |x| x.is_a?(String) ? x.size : x }
p S.after_writes(+"ab", "cd")
p S.after_writes(String.new("x" * 200), "y")
p S.sums([1, 2]), S.sums((0..99).to_a)
p S.convert("a")
try { S.convert(1) }
converts = Object.new
def converts.to_str = "converted"
p S.convert(converts)
p S.encodings("ascii"), S.encodings("ä"), S.encodings("ä".b), S.encodings(:symbol)

[1.5, -0.0, 0.0, 1e300, -1e-300, Float::INFINITY, 5e-324, 3, -7, 2**70, 1r].each { |number| p S.twice(number) }
p S.twice(Float::NAN).nan?
[0.0, -0.0, 1.5, 1e300, 1e-300].each { |number| p S.same_float(number) }
try { S.twice("1") }
try { S.twice(nil) }
[0, 2**63, 2**64 - 1, -1, -2**63, 1.9].each { |number| try { S.as_unsigned(number) } }
try { S.as_unsigned(2**64) }
[2**62, 2**63 - 1, -2**63, 1.9].each { |number| try { [S.as_signed(number), S.as_long(number)] } }
try { S.as_long(2**63) }
try { S.as_long(-2**63 - 1) }

Pair = Struct.new(:left, :right)
class Odd < Pair
  def [](index) = :overridden
  def size = 17
end
pair, odd = Pair.new(1, false), Odd.new(3, 4)
p S.member(pair, :left), S.member(pair, :right), S.member(odd, :right)
try { S.member(pair, :middle) }
p S.reference(pair, 0), S.reference(pair, -1), S.reference(pair, :left), S.reference(odd, 1)
try { S.reference(pair, 2) }
try { S.reference(pair, -3) }
try { S.reference(pair, :middle) }
p S.assign(pair, 1, 5), S.assign(pair, :left, 6), pair
try { S.assign(pair.dup.freeze, 0, 1) }
p S.size(pair), S.size(odd)
p S.make(Pair), S.make(Odd).to_a
p S.range(1..2), S.range(1...), S.range(nil..), S.range(3)

text = +"text"
p S.freeze(text).frozen?, S.freeze(text).equal?(text), S.freeze(1)
object = Object.new
def object.freeze = raise("asked")
object.singleton_class
p S.freeze(object).frozen?, object.singleton_class.frozen?
try { S.check(text) }
try { S.check(1) }
try { S.check(+"can be written") }
p S.name_of(Pair), S.name_of(Pair), S.name_of(Pair.singleton_class.superclass.superclass), S.name_of(Comparable)
later = Class.new
p S.name_of(later).start_with?("#<Class:0x")
Later = later
p S.name_of(later)

class Made
  attr_reader :given
  def initialize(*given) = @given = given
end
class Replaced
  def self.new(*) = raise("asked")
  attr_reader :given
  def initialize(given) = @given = given
end
p S.instance(Made, 1, false).given, S.instance(String, "text"), S.instance(Array, 2, 7), S.instance(Pair, 1), S.instance(Hash)
try { S.instance(Object, 1) }
try { S.instance(Integer) }
try { S.instance(BasicObject).__id__.class }
p S.call([1, 2, 3], :[], 0, 2), S.call(Made, :new, false, nil).given, S.call("text", :sub, "t", "T")
try { S.call(1, :none, 1, 2) }
puts S.formats(["value"])
p S.block_calls([1, 2])

outer, inner = Encoding::ISO_8859_1, Encoding::UTF_8
[nil, {}, {encoding: outer}, {encoding: "iso-8859-1:utf-8"}, {encoding: "utf-8:-"}, {encoding: "BOM|utf-16le"}, {encoding: "utf-8:utf-8"},
 {external_encoding: outer}, {external_encoding: outer, internal_encoding: inner}, {external_encoding: inner, internal_encoding: inner},
 {external_encoding: nil}, {external_encoding: "euc-jp", internal_encoding: "-"},
 {external_encoding: Encoding::BINARY, internal_encoding: inner}].each { |options| p S.stream_encodings(options) }
