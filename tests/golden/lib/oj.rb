# oracle: native
# A stream writer of JSON, and a parser that calls a handler.
require "oj"
require "stringio"

def show
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message[/\A[^(]*/]}"
end

def written(**options)
  io = StringIO.new
  writer = Oj::StreamWriter.new(io, options)
  yield writer
  io.string
rescue StandardError => error
  "#{error.message} #{io.string}"
end

show do
  written do |writer|
    writer.push_array
    ["a\"\n\u0001é/</", 1, 2.5, 1e20, 100.0, 3.14159, 6.626e-34, nil, true].each { |value| writer.push_value(value) }
    writer.push_object
    writer.push_key("k")
    writer.push_value([1, {"a" => 2}])
    writer.push_value(3, "kk")
    writer.push_array("list")
    writer.pop
    writer.pop
    writer.push_value(:symbol)
    writer.push_value(2**70)
    writer.push_json("[1, 2]")
    writer.pop
  end
end
show { written(indent: 2) { |writer| writer.push_array; writer.push_value(1); writer.push_object; writer.push_value(1, "a"); writer.pop_all } }
show { written { |writer| writer.push_key("a") } }
show { written { |writer| writer.push_object; writer.push_value(1) } }
show { written { |writer| writer.pop } }
show { written { |writer| writer.push_object; writer.push_key("a"); writer.push_key("b") } }
show { written { |writer| writer.push_object; writer.push_key("a"); writer.pop } }

class Handler
  attr_reader :seen

  def initialize = @seen = []
  def add_value(value) = @seen << "#{value.class}" << (value.is_a?(Array) ? value.map { |inner| inner.is_a?(Hash) ? inner.to_a : inner } : value)
  def hash_start = (@seen << :hash_start; {})
  def hash_end = @seen << :hash_end
  def hash_set(hash, key, value) = hash.store(key, value)
  def hash_key(key) = (@seen << key; key)
  def array_start = (@seen << :array_start; [])
  def array_end = @seen << :array_end
  def array_append(array, value) = array << value
end

texts = ['[1,"a",{"b":[null,true,false,1.5,1e3]}]', "1 2 3", '[1][2]', '"a\u00e9\ud83d\ude00\n"', "123456789012345678901234567890", "-0.0",
  "", "  ", "[1", "[1,]", '{"a" 1}', "{1:2}", '{"a":1,}', "[1 2]", '"abc', "1.23456789012345678901234567890"]
texts.each do |text|
  [text, StringIO.new(text)].each do |source|
    handler = Handler.new
    show { Oj.sc_parse(handler, source); handler.seen }
  end
end
