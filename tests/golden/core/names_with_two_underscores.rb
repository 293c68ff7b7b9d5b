# oracle: native
# Instance variables whose names begin with two underscores are the program's like any other.
class Point
  def initialize(x, y)
    @__x = x
    @__y = y
  end
  attr_reader :__x, :__y

  def defined = [defined?(@__x), defined?(@__none)]
end

point = Point.new(1, [2])
p point.instance_variables, point.inspect.sub(/0x\h+/, "0x"), point.defined, point.__y
p Marshal.load(Marshal.dump(point)).instance_variable_get(:@__y)
p point.remove_instance_variable(:@__x), point.instance_variables
p point.dup.instance_variable_get(:@__y), point.instance_variable_defined?(:@__y)

names = %i[@__mesg @__bt @__bt_locations @__cause @__is_cause @__name @__key @__receiver @__method @__result @__args @__catch_tags
  @__status @__reason @__defined_at @__refinements @__errno @__tag @__value @__members @__keyword_init @__private_call @__wrapper
  @__pointees @__source_name @__destination_name @__source @__destination @__error_bytes @__readagain_bytes @__incomplete @__path
  @__signo @__finalizers @__ractor @__handlers @__last_status @__c_io @__size @__fiber @__ahead @__stop @__feed @__enums
  @__kwargs @__counted @__step @__stops @__root @__described @__begin @__end @__exclude @__string @__pos @__shared @__argv @__jd]
odd = [1, nil, "text", :symbol, [], {}, Object.new, Float::NAN, 1 << 80, -> { 1 }, Class, 1..2]
write = lambda do |object|
  names.each { |name| odd.each { |value| object.instance_variable_set(name, value) } }
  object
end

def error
  yield
rescue Exception => e
  e
end

def orphan = proc { return 1 }

one = Struct.new(:a, :b)
keyed = Struct.new(:a, keyword_init: true)
data = Data.define(:a)
refined = Module.new { refine(String) { def shout = upcase } }
script = Class.new { def self.inherited(kind) = super }
errors = [
  error { raise "text" }, error { raise KeyError.new("key", receiver: {}, key: 1) }, error { {}.fetch(:none) }, error { nil.none },
  error { Object.new.instance_eval { none_such } }, error { exit 3 }, error { throw :nothing }, error { File.open("/nowhere/at/all") },
  error { "\xFF".encode("UTF-16") }, error { "é".encode("US-ASCII") }, error { loop { raise StopIteration } || raise("left") },
  error { eval("1 +") }, error { require "no/such/library" }, error { [1].freeze << 1 }, error { case 1; in 2 then 3; end },
  error { case({ a: 1 }); in { b: } then 3; end }, error { Process.kill(:NONE, 0) }, error { orphan.call },
  error { Integer("x") rescue raise "outer" }, error { [].each.next }
]
errors.each do |e|
  before = [e.message, e.backtrace&.size, e.backtrace_locations&.size, e.cause&.message]
  write.(e) unless e.frozen?
  p before == [e.message, e.backtrace&.size, e.backtrace_locations&.size, e.cause&.message]
  e.full_message(highlight: false)
  e.detailed_message
  e.exception("again").message
  %i[name receiver key result args status reason errno tag exit_value signo path error_char source_encoding].each do |asked|
    e.public_send(asked) if e.respond_to?(asked)
  rescue ArgumentError, NoMethodError
  end
end

[one, keyed, data, refined, script, Signal, Process, Object, Thread.current, Marshal, GC, Kernel, ARGF].each { |object| write.(object) }
p one.new(1, 2), keyed.new(a: 1), data.new(a: 1), one.members, keyed.keyword_init?, data.members, one.new(1, 2).to_h
p Class.new(one).new(1).to_a, Class.new(script).superclass == script
using refined
p "text".shout, refined.refinements.size
p catch(:done) { throw :done, 1 }
p system("exit 2"), $?.exitstatus
trap(:USR1) {}

each = [1, 2, 3].each
each.next
lazy = (1..4).lazy.map { |x| x * 2 }
chain = [1].each + [2]
steps = 1.step(10, 3)
[each, lazy, chain, steps].each { |enumerator| write.(enumerator) unless enumerator.frozen? }
p each.next, each.next, each.size, each.to_a, each.with_index.to_a, each.inspect
p lazy.first(2), lazy.inspect, chain.to_a, chain.size, chain.inspect, steps.to_a, steps.size, steps.inspect
p Enumerator.product([1], [2]).tap(&write).to_a

list = [write.(+"text"), write.([1]), write.({ a: 1 }), write.(one.new(1, 2)), write.(Object.new), write.(Mutex.new), write.(Queue.new)]
list.each { |object| ObjectSpace.define_finalizer(object, proc {}) }
p list.first(4), ["a"].pack("p").size
back = Marshal.load(Marshal.dump([write.(+"text").tap { |s| odd.each_index { |i| s.instance_variable_set(:"@__#{i}", i) } ; names.each { |n| s.instance_variable_set(n, 1) } }]))
p back, back[0].instance_variables.size
GC.start
p ObjectSpace.each_object(Class).include?(one)
p((begin; raise TypeError, "inner"; rescue; begin; raise "outer"; rescue => e; write.(e); [e.cause.class, e.message]; end; end))
