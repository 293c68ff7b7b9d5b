# JSON.generate of hashes whose keys are symbols and strings: which of them are told to repeat.
require "json"

def try(object, **options)
  puts JSON.generate(object, options)
rescue => e
  puts "#{e.class}: #{e.message}"
end

$stderr = $stdout
def JSON.deprecation_warning(message, *) = puts("warned: #{message}")

class Name < String
  def to_s = "b"
end
class Other
  def initialize(name) = @name = name
  def to_s = @name
  def inspect = "other"
end

many = (1..20).to_h { |n| [n.odd? ? :"k#{n}" : "k#{n}", n] }
sixteen = (1..16).to_h { |n| [n.odd? ? :"k#{n}" : "k#{n}", n] }
identity = {}.compare_by_identity
identity[+"a"] = 1
identity[+"a"] = 2
mixed_identity = identity.dup
mixed_identity[:b] = 3
[
  {}, { a: 1 }, { "a" => 1 }, { a: 1, "b" => 2 }, { a: 1, "a" => 2 }, { "a" => 1, a: 2, b: 3 }, { 1 => 2, "1" => 3 }, { 1 => 2, "2" => 3 },
  { nil => 1, "" => 2 }, { nil => 1, x: 2 }, { a: 1, Name.new("a") => 2 }, { b: 1, Name.new("a") => 2 }, { a: 1, Other.new("a") => 2 },
  { Other.new("x") => 1, Other.new("x") => 2 }, { "\u00e9": 1, "\u00e9" => 2 }, { "\u00e9": 1, "e" => 2 },
  { "": 1, nil => 2 }, { 1 => 1, "1": 2 }, { "1": 2, 1 => 1 }, { "1" => 2, 1 => 1 }, { 1 => 1, 1.0 => 2, "1.0" => 4 }, { a: 1, 2 => 3, "a" => 2 },
  many, many.merge("k1" => 0), many.merge(k20: 0), sixteen, sixteen.merge("k1" => 0), identity, mixed_identity,
  { a: { b: 1, "b" => 2 }, "c" => [{ d: 1, "d" => 1 }] }
].each do |hash|
  try(hash)
  try(hash, allow_duplicate_key: true)
  try(hash, allow_duplicate_key: false)
end
hash = { a: 1, x: 2, "b" => 3 }
hash.delete(:x)
try(hash, allow_duplicate_key: false)
hash.delete("b")
hash["a"] = 1
try(hash, allow_duplicate_key: false)
try({ a: 1, "b" => 2 }.freeze)
