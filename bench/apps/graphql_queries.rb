# needs: ruby-graphql
require "json"
require "ostruct"
require "graphql"
class Author < GraphQL::Schema::Object
  field :name, String, null: false
  field :born, Integer
end
class Book < GraphQL::Schema::Object
  field :id, ID, null: false
  field :title, String, null: false
  field :author, Author, null: false
  field :related, [self], null: false do
    argument :first, Integer, required: false, default_value: 3
  end
  def related(first:) = BOOKS.values_at(*(1..first).map { |i| (object[:id] + i) % BOOKS.size })
end
class Query < GraphQL::Schema::Object
  field :books, [Book], null: false do
    argument :title, String, required: false
  end
  field :book, Book do
    argument :id, ID, required: true
  end
  def books(title: nil) = title ? BOOKS.select { |b| b[:title].include?(title) } : BOOKS.first(10)
  def book(id:) = BOOKS[id.to_i]
end
class Library < GraphQL::Schema
  query Query
end
BOOKS = Array.new(40) { |i| { id: i, title: "Book #{i}", author: { name: "Author #{i % 7}", born: i.odd? ? 1900 + i : nil } } }
text = <<~Q
  query Find($title: String, $deep: Boolean = true) {
    books(title: $title) { ...Parts related(first: 2) @include(if: $deep) { ...Parts related { id } } }
    one: book(id: 5) { title author { born __typename } }
  }
  fragment Parts on Book { id title author { name } }
Q
size = 0
12.times { |i| size += Library.execute(text, variables: { "title" => i.odd? ? nil : "1" }).to_h.then { |h| JSON.generate(h).size } }
p size
puts Library.to_definition.lines.size, Library.execute("{ books { nothing } }")["errors"].first["message"]
