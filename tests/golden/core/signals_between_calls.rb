# oracle: native
# A signal may come between any two instructions of a call: a call that is made anew has to find its arguments as they were.
class Base
  def many(*list) = list
  def named(a, k: 0, **rest) = [a, k, rest]
  def optional(a, b = 2, *rest, &block) = block ? block.call(a, b, *rest) : [a, b, rest]
  def pass(...) = many(...)
  def yield_all(*list) = yield(*list)
  def yield_list(list) = yield(list)
  def method_missing(name, *list) = name == :ghost ? list : super
  def respond_to_missing?(name, all = false) = name == :ghost || super
end

class Derived < Base
  def many(*list) = super(*list)
  def optional(a, b = 2, *rest, &block) = super
  def named(a, k: 0, **rest) = super(a, k: k, **rest)
end

Point = Struct.new(:x, :y)
Plain = Class.new { attr_reader :a; def initialize(a, b = 3, *rest, k: 1) = @a = [a, b, rest, k] }

object, list, texts, keywords = Derived.new, [1, 2, 3], %w[b c a], {k: 4, z: 5}
block, bound = proc { |*all| all }, object.method(:many)

CALLS = [
  -> { [0].push(*list) }, -> { [9].values_at(0, *list) }, -> { File.join(*texts) }, -> { format("%s-%s", *texts) },
  -> { "abc".start_with?(*texts) }, -> { [3].concat(*[list, texts]) }, -> { [5, 6].insert(1, *list) }, -> { 9.clamp(*[0, 2]) },
  -> { object.many(*list) }, -> { object.many(1, *list) }, -> { object.named(*[1], **keywords) }, -> { object.named(1, k: 2, z: 3) },
  -> { object.optional(*list) }, -> { object.optional(1, *texts, &block) }, -> { object.optional(1) }, -> { object.pass(*list, &block) },
  -> { object.send(:many, *list) }, -> { object.public_send(*[:many, 5]) }, -> { object.__send__(:optional, 1, 2, 3) },
  -> { "ab".send(:center, 6, "*") }, -> { bound.call(*list) }, -> { bound.(1, 2) }, -> { block.call(*list) }, -> { block[1, 2] },
  -> { object.ghost(*list) }, -> { object.ghost(1) }, -> { Point.new(*[1, 2]).to_a }, -> { Point.new(1, 2).x },
  -> { Plain.new(1).a }, -> { Plain.new(1, *list, k: 2).a }, -> { object.yield_all(*list) { |a, *b| [a, b] } },
  -> { object.yield_list(list) { |a, b| [a, b] } }, -> { object.yield_all(*list) { |a, k: 1| [a, k] } },
  -> { [[1, 2], [3, 4]].map { |a, b| a + b } }, -> { [[1, [2, 3]]].map { |a, (b, c)| a + b + c } }, -> { {1 => 2}.map { |k, v| [k, v] } },
  -> { list.inject { |a, b| a + b } }, -> { texts.map(&:to_sym) }, -> { texts.each_with_index.map { |a, i| [a, i] } },
  -> { object.instance_exec(*list) { |*all| all } }, -> { texts.zip(list, &block) }, -> { list.each_slice(2).map(&block) }
]

expected = CALLS.map(&:call)
expected.each { p _1 }

received = 0
trap("USR1") { received += 1 }
target = Process.pid
sender = fork do
  loop { Process.kill("USR1", target) }
rescue Errno::ESRCH
  exit!
end
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) }
wrong = CALLS.zip(expected).reject do |call, answer|
  start, before = now[], received
  is_right = call.call == answer
  is_right &&= call.call == answer while now[] - start < (received - before < 3 ? 0.5 : 0.01)
  is_right
end
Process.kill("KILL", sender)
Process.wait(sender)
p wrong
