# A hash copies and freezes a String that becomes a key, but keeps an object of a subclass as it is.
require "set"

class Text < String; end

def kept(hash, key) = hash.keys.map { |k| [k.class, k.frozen?, k.equal?(key)] }

text, plain, single = Text.new("text"), "plain".dup, "single".dup
def single.own = 1
marked = "marked".dup
marked.instance_variable_set(:@mark, 1)

[text, plain, single, marked, "frozen".freeze, Text.new("frozen").freeze].each do |key|
  p kept({ key => 1 }, key)
  p kept({}.tap { |h| h[key] = 1 }, key)
  p kept({}.tap { |h| h.store(key, 1) }, key)
  p kept(Hash[key, 1], key), kept(Hash[[[key, 1]]], key)
  p kept([[key, 1]].to_h, key), kept([key].group_by(&:itself), key), kept([key].tally, key)
  p kept({}.merge({ key => 1 }), key), kept({}.update(key => 1), key), kept({}.update({ key => 1 }) { 2 }, key)
  p kept({}.compare_by_identity.tap { |h| h[key] = 1 }, key)
  p Set[key].map { |k| [k.class, k.frozen?, k.equal?(key)] }
  many = (0...40).to_h { |i| [i, i] }
  many[key] = 1
  p kept(many.select { |k, _| String === k }, key), many[key], many[key.to_s.dup]
end
p kept({ a: 1 }.transform_keys { text }, text), kept({ 1 => text }.invert, text)

# A key that changes is not found until the hash is made anew.
hash = { text => 1, "plain" => 2 }
(0...20).each { |i| hash[Text.new("key #{i}")] = i }
p hash["text"], hash[Text.new("text")], hash["key 7"], hash["plain"], hash.size
text << "!"
p hash[text], hash["text!"], hash["text"], hash.key?("plain")
hash.rehash
p hash[text], hash["text!"], hash["text"], hash.size
p hash.keys.first.equal?(text), text.frozen?
hash["text!"] = 3
p hash[text], hash.size
p hash.delete("text!"), hash.size
text.replace("again")
hash[text] = 4
p hash["again"], hash.size, hash.keys.last.equal?(text)
