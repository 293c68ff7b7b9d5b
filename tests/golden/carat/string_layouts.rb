# ObjectSpace.dump of a string in every way that it can hold its bytes: which slot, whose buffer, how much room is left.
require "objspace"

KEYS = %w[
  slot_size embedded shared fstring chilled frozen encoding coderange bytesize capacity buffer offset slack holders
  fields_inline fields_beside memsize
].freeze

# Whose buffers views look at: a collection would leave them to the views.
KEPT = []

# Addresses differ from run to run, and of several holders some may be dead already.
def readable(key, value)
  return value == "1" ? "1" : "several" if key == "holders"
  value.start_with?('"0x') ? "0x1" : value.delete('"')
end

def show(label, string)
  line = ObjectSpace.dump(string)
  shown = line.scan(/"(\w+)":("[^"]*"|[\w.\[\]{}-]+)/).select { |key, _| KEYS.include?(key) }
  shown.map! { |key, value| "#{key}=#{readable(key, value)}" }
  puts "#{label}: #{shown.join(" ")}"
end

[0, 5, 6, 13, 14, 21, 22, 29, 30, 37, 38, 53, 54, 69, 70, 85, 86, 101, 102, 117, 118, 181, 182, 245, 246, 501, 502, 1013, 1014].each do |length|
  show "embedded, #{length} bytes", "x" * length
end

show "owned", "x" * 1015
show "owned, with room", String.new(capacity: 3000) << "abc"
grown = +"x" * 400
8.times { grown << "y" * 100 }
show "owned, grown", grown
small = +"abc"
small << "z" * 50
show "owned by a slot of one word", small

source = "0123456789" * 200
KEPT << source
view = source[5, 1500]
show "view", view
show "shared", source
tail = source[500..]
show "view of the end", tail
show "view of a view", view[100, 300]
show "short slice, copied", view[100, 50]
copy = source.dup
show "copy", copy
copy << "!"
show "copy, written", copy
frozen = source[0, 900].freeze
show "view, frozen", frozen

show "frozen", "a frozen one".dup.freeze
show "chilled", "a chilled one"
show "unique", -"a unique one"
show "unique, long", -("a unique one that is too long for a slot, " * 40)
show "symbol's name", :a_symbol.name
show "symbol's text", :a_symbol.to_s
show "broken", "abc\xFF"
show "broken, long", "abc\xFF" * 300
show "range unknown", "é日x"[1..]
show "in UTF-16", "ab".encode("UTF-16LE")
sum = "a" * 2000
3.times { sum = sum + "b" * 10 + "c" }
show "sum of sums", sum

# Fields are at the end of the slot where a class has learnt of them, else beside.
def with_field(string) = string.tap { |s| s.instance_variable_set(:@field, 1) }

class Named < String
  def initialize(text, name)
    super(text)
    @name = name
  end
end

show "with a field", with_field(+"abc")
show "owned, with a field", with_field("x" * 1015)
show "view, with a field", with_field(source[5, 1500])
show "frozen, with a field", with_field(+"abc").freeze
3.times { Named.new("abc", :a) }
show "of a class with a field", Named.new("abc", :b)
show "of a class with a field, owned", Named.new("x" * 1100, :b)

# What is known of the bytes.
{ "7bit" => "abc", "valid" => "é日x", "broken" => "é\xFF" }.each do |name, text|
  KEPT << text * 600
  { "embedded" => text, "owned" => text * 400, "view" => KEPT.last[3, 1200], "frozen" => -text }.each do |kind, string|
    string.valid_encoding?
    show "#{name}, #{kind}", string
  end
end
show "binary", "\xFF".b
show "unknown, forced", (+"é").force_encoding("EUC-JP")
