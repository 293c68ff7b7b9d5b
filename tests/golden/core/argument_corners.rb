# What methods do with arguments at the edge of what they take, one line each.
def show(label)
  result = begin
    yield.inspect
  rescue Exception => e
    "#{e.class}: #{e.message.lines.first&.chomp}"
  end
  puts "#{label}: #{result.gsub(/0x\h+/, "0x")}"
end

# An argument whose conversion freezes the string.
freezer = Class.new { def initialize(s, text) = (@s, @text = s, text); def to_str = (@s.freeze; @text) }
%i[chomp! delete_prefix! delete_suffix!].each do |name|
  show(name) { s = +"xax"; s.send(name, freezer.new(s, "x")) }
end
show("broken prefix") { "\xFF\xFE".dup.delete_prefix!("\xFF") }
show("broken up to a character") { "\xFFhello\xBE".delete_prefix("\xFFhello").bytes }
show("half a character") { "\x95\x5c".dup.force_encoding("Shift_JIS").delete_prefix("\x95").bytes }
show("broken suffix") { "\x95\x5c".dup.force_encoding("Shift_JIS").delete_suffix("\\\xFF").bytes }
show("dedup") { s = "unique #{rand}".freeze; [(-s).equal?(s), (-s.dup).equal?(s)] }
show("hashes of bytes") { ["\x80", "\x81"].map { |c| c.b.hash ^ c.hash }.uniq.size }
own = Class.new(Regexp) { def match(*a, &b) = b ? b.call(a) : a }.new("x")
show("match") { ["a".match(own, 1, 2), :a.match(own, 3) { |a| a << 4 }] }
show("match without a match") { "a".match(Class.new(Regexp) { def match(*) = nil }.new("b")) { :called } }

# Arrays that become shorter while random numbers are drawn.
random = Object.new
def random.rand(max) = ($drawn.replace([1]); max / 2)
[1, 2, 5].each { |n| show("sample #{n}") { $drawn = [*0..19]; $drawn.sample(n, random: random) } }

# Arrays that change while they are joined.
show("join") { $changed = ["a", "b", Class.new { def to_str = ($changed[1] = [0, 1]; "z") }.new]; $changed.join }
show("join of itself") { a = Object.new; def a.to_ary = [self]; [a].join }
show("long key") { {}.fetch("k" * 80) }

# Enumerators.
show("first of a beginless sequence") { (..10).step(2).first(1) }
show("beginless sequence") { (..10).step(2).each {} }
show("peek") { o = Object.new; def o.each = yield(1, 2); e = o.to_enum; e.peek << 3; e.peek }
show("inspect") { (0..10).each_with_object(a: 1).inspect }
show("cycle") { [].to_enum { 0 }.cycle("").size }
show("upto") { [42.upto(Float::INFINITY).size, 42.downto(-Float::INFINITY).size] }
show("chain") { ([1].to_enum + [2].to_enum).methods & %i[feed next next_values peek peek_values] }
show("product") { [Enumerator.product(1.., "a".."c").size, Enumerator.product([1, 2], "a".."c").size] }
given = Class.new { include Enumerable; attr_reader :a; def each(*a) = (@a = a; yield 1) }.new
show("lazy") { [given.lazy.each(4).first, given.a] }
class Integer
  private def secret_sum(x) = self + x
end
show("inject") { [1, 2].inject(:secret_sum) }
show("inject over a range") { (1..2).inject(:secret_sum) }

# Numbers.
show("Rational") { Rational("1/0", exception: false) }
show("Rational of numbers") { Rational(1, 0, exception: false) }
show("convert") { Rational.convert(1) }
show("quo") { Numeric.new.quo(1) }
show("round") { 1.5.round(half: "u".encode("utf-16be")) }
show("overlap?") { [(1..).overlap?("a"..), (1..).overlap?(2..), (..1).overlap?(.."a"), (..1).overlap?(..2)] }

# Other classes.
show("Dir.open") { Dir.open(".", surplus: 1) {} }
show("fnmatch") { File.fnmatch("a\0b", "a") }
show("File.join") { File.join("a".dup.force_encoding("us-ascii"), "b".dup.force_encoding("us-ascii")).encoding }
show("trap") { trap("EXIT", "1 + 1"); trap("EXIT", "DEFAULT") }
show("SignalException") { SignalException.new("EXIT") }
show("SignalException") { SignalException.new("-INT") }
subset = Class.new(Set) { def initialize(*a) = (@given = a; super()); attr_reader :given }
show("Set.[]") { subset[1, 2].then { |set| [set.size, set.given] } }
show("Set#add") { Class.new(Set) { def add(x) = super(x.to_s) }.new([1, 2]).to_a }
show("Struct") { Struct.new(:a=) }
show("NoMethodError#args") { [NoMethodError.new("m", :n).args, NoMethodError.new("m", :n, [1]).args] }
show("circular causes") { Marshal.load("\x04\bo:\x11RuntimeError\b:\tmesgI\"\berr\x06:\x06ET:\abt[\x00:\ncause@\x05") }
StringCopy = String.clone
show("copies of String") { Marshal.load(Marshal.dump(StringCopy.new("x"))).class }
show("in a singleton class") do
  Marshal.dump(Object.new.singleton_class.const_set(:Inner, Class.new).new)
rescue TypeError => e
  e.message[/\A[^#]*/]
end
show("Random") { Random.new.freeze.send(:initialize, 1) }
show("MatchData") { "a".match(/a/).freeze.send(:initialize_copy, "b".match(/b/)) }
show("Time") { Time.at(0).utc.freeze.send(:initialize_copy, Time.at(1)) }
show("const_source_location") { Module.const_source_location("Object::RUBY_VERSION::A") }
show("set_temporary_name") do
  m = Module.new
  m.const_set(:N, Module.new).const_set(:O, Module.new)
  m::N.const_set(:Outer, m)
  m.set_temporary_name("fake")
  [m.name, m::N.name, m::N::O.name]
end
show("eval") { eval("1".encode("utf-16be")) }
show("to_proc") { o = Object.new; def o.to_proc = 1; p(&o) }
show("==") { o = Object.new; def o.exception(_) = nil; RuntimeError.new("a") == o }
multi = ->(x,
           y) {
  x
}
show("source_location") { __LINE__ - multi.source_location[1] }
show("each_caller_location") { Thread.each_caller_location(1, 1) {} }
$VERBOSE = true
Warning[:deprecated] = true
$stderr = $stdout
$, = ""
show("join") { [].join }
class File
  remove_const :Stat
end
show("File.stat") { File.stat(".").class }
