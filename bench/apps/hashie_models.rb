# needs: ruby-hashie ruby-virtus ruby-recursive-open-struct ruby-hashdiff
require "hashie"
require "virtus"
require "hashdiff"
require "recursive-open-struct"
class Address < Hashie::Dash
  include Hashie::Extensions::Dash::Coercion
  property :street, required: true
  property :zip, coerce: Integer, default: 0
end
class Person < Hashie::Trash
  property :name, from: :fullName, with: ->(v) { v.upcase }
  property :age, transform_with: ->(v) { v.to_i }
end
class Tree < Hash
  include Hashie::Extensions::DeepMerge
  include Hashie::Extensions::DeepFetch
  include Hashie::Extensions::IndifferentAccess
  include Hashie::Extensions::MergeInitializer
end
class Book
  include Virtus.model
  attribute :title, String
  attribute :pages, Integer, default: 7
  attribute :price, Float
  attribute :tags, Set[Symbol]
  attribute :authors, Array[String]
end
n = 0
120.times do |i|
  mash = Hashie::Mash.new(name: "x#{i}", info: { email: "a@b", list: [{ k: i }, { "k" => 2 }] })
  mash.info.phone = i
  mash.deep!.er!.thing = 1
  n += mash.info.list.first.k + mash.info["phone"] + (mash.missing? ? 1 : 0) + mash.deep.er.thing
  a = Address.new(street: "s", zip: i.to_s)
  t = Person.new(fullName: "bob", age: "5#{i}")
  n += a.zip + t.age + t.name.size
  tree = Tree.new(a: { b: { c: i } }).deep_merge("a" => { "d" => 2 })
  n += tree.deep_fetch(:a, :b, :c) + tree["a"]["d"]
  book = Book.new(title: :sym, pages: "12", price: "1.5", tags: ["x", "y"], authors: [1, 2])
  n += book.pages + book.tags.size + book.authors.join.to_i
  r = RecursiveOpenStruct.new({ a: { b: [{ c: i }] } }, recurse_over_arrays: true)
  n += r.a.b.first.c
  n += Hashdiff.diff({ a: [1, 2, i], b: { c: 2 } }, { a: [2, i], b: { d: 2 } }).size
end
p n
puts Hashie::Mash.new(a: 1, b: { c: [1, 2] }).to_s, Book.new(price: "x").to_h.keys.inspect
[-> { Address.new }, -> { Address.new(street: 1, foo: 2) }, -> { Tree.new(a: 1).deep_fetch(:x, :y) }].each { |f| begin; f.call; rescue StandardError => e; puts "#{e.class}: #{e.message}"; end }
p Hashdiff.diff({ "a" => 1, "b" => [1, 2, 3] }, { "a" => 2, "b" => [1, 3, 4] })
