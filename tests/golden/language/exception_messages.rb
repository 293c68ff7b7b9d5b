# message, detailed_message, full_message with highlighting, inspect, and the wording of common errors.
class Custom < StandardError
  def detailed_message(highlight: false, **options) = "<#{super}> #{options.keys}"
end
e = (raise "simple" rescue $!)
p e.detailed_message, e.detailed_message(highlight: true), e.inspect
e = (raise Custom, "cust" rescue $!)
p e.detailed_message, e.full_message(highlight: false).lines.first
e = RuntimeError.new("")
p e.message, e.detailed_message, e.inspect, e.full_message(highlight: false)
e = RuntimeError.new("two\nlines")
p e.detailed_message, e.detailed_message(highlight: true), e.inspect
e = RuntimeError.new(nil)
p e.message
e = RuntimeError.new(:sym)
p e.message, e.inspect
e = RuntimeError.new
p e.message, e.detailed_message

def message
  yield
  "no error"
rescue Exception => error
  "#{error.class}: #{error.message}".gsub(/0x\h+/, "XX")
end
object = Object.new
def object.inspect = "#<custom inspect>"
[
  -> { object.missing }, -> { object.missing = 1 }, -> { object[0] }, -> { object.() }, -> { nil + 1 }, -> { nil[0] },
  -> { true.foo }, -> { false.foo(1) }, -> { 5.foo }, -> { "s".foo }, -> { :s.foo }, -> { [].foo }, -> { String.foo }, -> { Kernel.foo },
  -> { undefined_local }, -> { undefined_call() }, -> { self.undefined_self }, -> { UndefinedConst }, -> { String::Nope }, -> { Class.new.new.foo },
  -> { object.puts }, -> { 5.initialize }, -> { 1 / 0 }, -> { 1 % 0 }, -> { 1.0.divmod(0) }, -> { 0 ** -1 }, -> { Integer(nil) }, -> { Integer([]) }, -> { Float("x") },
  -> { Float("") }, -> { Integer("12a") }, -> { Integer("0x", 16) }, -> { "x" * -1 }, -> { "x".center }, -> { [1, 2].first(-1) }, -> { [1].sample(-1) }, -> { [].fetch(0) },
  -> { [1, 2].fetch(-3) }, -> { { a: 1 }.fetch("a") }, -> { [3, "a"].sort }, -> { [1, nil].max }, -> { 3 <=> nil }, -> { 3 < nil }, -> { 3.5 < "x" }, -> { "a" < 1 },
  -> { Comparable.instance_method(:<).bind_call(object, 1) }, -> { [1, 2].zip(1) }, -> { [[1, 2], 3].transpose }, -> { [[1], [1, 2]].transpose }, -> { [[1, 2], [3]].to_h },
  -> { [1].to_h }, -> { Array(1..).first }, -> { "abc".to_sym.unknown }, -> { "é".encode("US-ASCII") }, -> { "\xff".encode("UTF-16LE") }, -> { "a".encode("nope") },
  -> { "\xff" =~ /x/ }, -> { Regexp.new("(") }, -> { "é" + "\xe9".dup.force_encoding("ISO-8859-1") }, -> { :a <=> 1; :a + 1 }, -> { loop { raise StopIteration }; [].each.next },
  -> { Struct.new(:a).new(1, 2) }, -> { Struct.new(:a, keyword_init: true).new(b: 1) }, -> { Data.define(:a).new }, -> { Data.define(:a).new(1, 2) }, -> { Data.define(:a).new(a: 1, b: 2) },
  -> { BasicObject.new.inspect }, -> { Class.new(Class) }, -> { Integer.new }, -> { Symbol.new }, -> { NilClass.new }, -> { Object.new(1) }, -> { Module.new.new },
  -> { object.instance_variable_get("@") }, -> { Object.const_set("x", 1) }, -> { Object.class_variable_get(:@@nope) }, -> { object.method(:nope) }, -> { String.instance_method(:nope) },
  -> { object.dup.singleton_method(:x) }, -> { begin; rand(1..); rescue SystemCallError => error; raise error.class.name; end }, -> { Random.rand(-1) }, -> { [1, 2].combination }, -> { "x".to_i(99) }, -> { 5.to_s(1) }, -> { 300.chr }, -> { -1.chr },
  -> { "".ord }, -> { [1].pack("Z") }, -> { [1].pack("y") }, -> { "%d" % "x" }, -> { "%d %d" % [1] }, -> { "%z" % 1 }, -> { "%{a}" % {} }, -> { Rational(1, 0) }, -> { Complex("x") },
  -> { Math.sqrt(-1) }, -> { Math.log("x") }, -> { (0.0 / 0).to_i }, -> { (1.0 / 0).to_r }, -> { 5.digits(1) }, -> { -5.digits }, -> { 2 ** "x" }, -> { [1] * "x" * 2 }, -> { [1] * nil },
  -> { (1..nil).size + (nil..1).to_a.size }, -> { (1.5..2).each {} }, -> { ("a"..).to_a }, -> { (1..2).step(0) { } }, -> { 1.step(5, 0) { break } }, -> { Hash.new(1) { } }, -> { {}.default_proc = 1 },
  -> { h = { a: 1 }; h.each { h[:b] = 2 } }, -> { Fiber.yield }, -> { Fiber.new { }.tap(&:resume).resume }, -> { throw :x }, -> { eval("(") ; 1 }, -> { require "no/such/file" }, -> { load "nope.rb" },
  -> { File.open("/nonexistent/file") }, -> { raise Class }, -> { raise Object.new }, -> { raise "a", cause: 1 }, -> { [].freeze << 1 }, -> { "".freeze << "x" }, -> { {}.freeze[1] = 2 },
].each_with_index { |call, index| puts "#{index} #{message(&call).lines.first.chomp}" }
