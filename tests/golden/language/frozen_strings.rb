# Frozen and chilled strings, freeze and dup, FrozenError for every kind of receiver.
literal = "chilled"
p literal.frozen?
p (+literal).equal?(literal), (-literal).frozen?, (-literal).equal?(-"chilled"), literal.dup.frozen?
mutable = +"m"
mutable << "utable"
p mutable
constant = "frozen".freeze
p constant.equal?("frozen".freeze)
receivers = {
  "string" => "s".freeze, "array" => [1].freeze, "hash" => { a: 1 }.freeze, "object" => Object.new.freeze,
  "symbol" => :sym, "integer" => 5, "nil" => nil, "class" => Class.new.freeze, "struct" => Struct.new(:a).new(1).freeze,
}
mutations = {
  "string" => ->(o) { o << "x" }, "array" => ->(o) { o << 1 }, "hash" => ->(o) { o[:b] = 1 },
  "object" => ->(o) { o.instance_variable_set(:@a, 1) }, "symbol" => ->(o) { o.instance_variable_set(:@a, 1) },
  "integer" => ->(o) { o.instance_variable_set(:@a, 1) }, "nil" => ->(o) { o.instance_variable_set(:@a, 1) },
  "class" => ->(o) { o.define_method(:x) {} }, "struct" => ->(o) { o.a = 2 },
}
receivers.each do |name, receiver|
  mutations[name].call(receiver)
rescue FrozenError => error
  puts "#{name}: #{error.message.gsub(/0x\h+/, "XX")}"
  p error.receiver.equal?(receiver)
end
[
  ->(s) { s.upcase! }, ->(s) { s[0] = "x" }, ->(s) { s.replace("y") }, ->(s) { s.force_encoding("BINARY") },
  ->(s) { s.clear }, ->(s) { s.concat("z") }, ->(s) { s.insert(0, "a") }, ->(s) { s.setbyte(0, 1) }, ->(s) { s.gsub!(/x/, "") },
].each do |mutation|
  mutation.call("abc".freeze)
  puts "no error"
rescue FrozenError => error
  puts error.message
end
def object_with_singleton = Object.new.freeze.instance_eval { def self.x = 1 }
begin
  object_with_singleton
rescue FrozenError, TypeError => error
  puts error.message.gsub(/0x\h+/, "XX")
end
begin
  five = 5
  def five.x = 1
rescue TypeError => error
  puts error.message
end
frozen_array = %w[a b].freeze
p frozen_array.map(&:upcase), frozen_array.first.frozen?, frozen_array.dup.push(1), frozen_array.clone.frozen?
p [1, :a, nil, true, 1.5, 1r, 1i, (1..2), 2**70, "a#{1}", "lit"].map(&:frozen?)
p "abc".to_sym.frozen?, :abc.to_s.frozen?, nil.to_s.frozen?, true.to_s.frozen?, 5.to_s.frozen?, :abc.name.frozen?
CONFIG = { list: [1, 2], name: "x" }.freeze
CONFIG[:list] << 3
p CONFIG, CONFIG[:name].frozen?
Point = Struct.new(:x, :y)
point = Point.new(1, 2).freeze
p point.frozen?, point.dup.frozen?, point.dup.tap { _1.x = 9 }
p ENV.frozen?, Object.frozen?, "".freeze.equal?("".freeze), String.new.frozen?
h = { "key" => 1 }
p h.keys.first.frozen?
k = +"mut"
h[k] = 2
k << "x"
p h.keys, k
