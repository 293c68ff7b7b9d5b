# Ractors: starting, ending, ports, messages, isolation. They run in parallel; nothing here depends on who is first.
# flags: -W0
def shown
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
  puts "  cause #{e.cause.class}: #{e.cause.message}" if Ractor::RemoteError === e
end

# The cause of what ends a Ractor, without the report of its thread.
def inside(*args, &block)
  r = Ractor.new(*args, &block)
  r.value
rescue Ractor::RemoteError => e
  "#{e.cause.class}: #{e.cause.message}"
end
Thread.report_on_exception = false

puts "-- starting and ending"
shown { Ractor.new { 1 + 2 }.value }
shown { Ractor.new(1, [2, "x"]) { |a, (b, c)| [a, b, c] }.value }
shown { Ractor.new(name: "worker") { Ractor.current.name }.value }
shown { Ractor.new { [Ractor.main?, Ractor.current == Ractor.main, self.class, self == Ractor.current] }.value }
shown { Ractor.new { raise ArgumentError, "no" }.value }
shown { Ractor.new { raise "late" }.join }
shown { r = Ractor.new { :done }; r.join.equal?(r) }
shown { r = Ractor.new { [1] }; [r.value, r.value].map(&:first) }
shown { r = Ractor.new { [1] }; Ractor.new(r) { |other| other.value.size }.value }
shown { r = Ractor.new { :x }; r.join; r.inspect.sub(/ \S+:\d+/, " place") }
shown { Ractor.new { Ractor.new { Ractor.new { 7 }.value * 2 }.value * 3 }.value }
shown { Ractor.new { Thread.new { sleep }; :main_is_over }.value }
shown { r = Ractor.new { receive }; r << 5; r.value }
shown { Ractor.count }

puts "-- ports"
shown { port = Ractor::Port.new; Ractor.new(port) { |to| 3.times { |i| to << i } }.join; 3.times.map { port.receive } }
shown { port = Ractor::Port.new; Ractor.new(port) { |p| p.receive }.value }
shown { port = Ractor::Port.new; Ractor.new(port) { |p| p.close }.value }
shown { r = Ractor.new { Ractor::Port.new }; port = r.value; [port.closed?, (port << 1 rescue $!.class)] }
shown { r = Ractor.new { sleep }; port = Ractor::Port.new; r.monitor(port).then { |m| [m, r.unmonitor(port).equal?(r)] } }
shown { port = Ractor::Port.new; Ractor.new { 1 }.tap(&:join).monitor(port).then { |m| [m, port.receive] } }
shown { port = Ractor::Port.new; r = Ractor.new { raise "x" }; r.monitor(port); port.receive }
shown { rs = 4.times.map { |i| Ractor.new(i) { |n| n * n } }; got = []; until rs.empty?; r, v = Ractor.select(*rs); rs.delete(r); got << v; end; got.sort }
shown { port = Ractor::Port.new; r = Ractor.new { Ractor.receive }; port << :mine; Ractor.select(port, r) .then { |from, v| [from == port, v, (r << 1).class] } }
shown { worker = Ractor.new { loop { from, n = Ractor.receive; from << n * n }; }; port = Ractor::Port.new; 5.times.map { |i| worker << [port, i]; port.receive } }

puts "-- messages"
shown { x = [+"a", { b: [1, nil, 2.5] }]; r = Ractor.new { m = Ractor.receive; m[0] << "!"; m }; r << x; [x, r.value] }
shown { x = +"moved"; r = Ractor.new { Ractor.receive << "!" }; r.send(x, move: true); [r.value, Ractor::MovedObject === x, (x.size rescue $!.class), ("" << x rescue $!.class)] }
shown { x = [+"a", [+"b"]]; inner = x[1]; r = Ractor.new { Ractor.receive }; r.send(x, move: true); [r.value, Ractor::MovedObject === inner] }
Point = Struct.new(:x, :y)
Pair = Data.define(:left, :right)
shown { r = Ractor.new { Ractor.receive }; r << [Point.new(1, +"y"), Pair.new([1], 2), Set[1, [2]], 1..2, 3r, 4i, 2**70, 1e300]; r.value }
shown { a = [1]; a << a; r = Ractor.new { m = Ractor.receive; m[1].equal?(m) }; r << a; r.value }
shown { s = +"same"; r = Ractor.new { a, b = Ractor.receive; a.equal?(b) }; r << [s, s]; r.value }
shown { f = "frozen".freeze; r = Ractor.new { Ractor.receive.object_id }; r << f; r.value == f.object_id }
shown { r = Ractor.new { Ractor.receive }; r << proc {} }
shown { e = (raise "boom" rescue $!); r = Ractor.new { m = Ractor.receive; [m.message, m.backtrace.size > 0] }; r << e; r.value }
shown { Ractor.new { "text".match(/(?<v>e)/) }.value[:v] }

puts "-- isolation"
a = 1
shown { Ractor.new { a } }
shown { Ractor.new { a = 2 } }
def yielding = Ractor.new { yield }
shown { yielding { } }
$global = 1
MUTABLE = [1]
SHARED = [1, "x".freeze].freeze
DEEP = Ractor.make_shareable({ a: [+"b"] })
class Holder
  @list = [1]
  @number = 1
  @@variable = 1
  NESTED = +"n"
  class << self
    attr_accessor :list, :number
    def variable = @@variable
    def nested = NESTED
  end
end
shown { inside { $global } }
shown { inside { $global = 1 } }
shown { inside { [$stdout.fileno, $stderr.fileno, $!, $~] } }
shown { inside { MUTABLE } }
shown { inside { Holder::NESTED } }
shown { inside { Holder.nested } }
shown { inside { [SHARED, DEEP] } }
shown { inside { Holder.list } }
shown { inside { Holder.number } }
shown { inside { Holder.number = 2 } }
shown { inside { Holder.instance_variable_set(:@x, 1) } }
shown { inside { Holder.variable } }
shown { inside { Holder.const_set(:LIST, []) } }
shown { inside { Holder.const_set(:LIST2, [].freeze) } }
counter = 0
Holder.define_method(:count) { counter += 1 }
shown { inside { Holder.new.count } }
Holder.define_method(:safe, &Ractor.shareable_proc { 42 })
shown { inside { Holder.new.safe } }
shown { inside { at_exit { } } }
shown { Ractor[:key] = 1; [inside { Ractor[:key] }, inside { Ractor[:key] = 2; Ractor.current[:key] }, Ractor[:key]] }
shown { inside { ENV["PATH"].nil? } }
shown { inside { [require("monitor"), require("monitor"), Monitor.new.synchronize { 1 }] } }
shown { inside { require "no/such/file" } }

puts "-- shareable"
shown { [1, :a, nil, "a".freeze, 1.5, 2**80, String, 1..2, /x/, [1].freeze, SHARED].map { |o| Ractor.shareable?(o) }.uniq }
shown { [+"a", [], [[]].freeze, { a: [] }.freeze, Object.new, proc {}, Thread.current].map { |o| Ractor.shareable?(o) }.uniq }
shown { o = [+"a", { b: +"c" }]; copy = Ractor.make_shareable(o, copy: true); [o.frozen?, copy.frozen?, copy[1][:b].frozen?, Ractor.make_shareable(o).equal?(o), o[0].frozen?] }
shown { n = 5; pr = nil.instance_exec { proc { |x| x + n } }; Ractor.make_shareable(pr); [Ractor.shareable?(pr), Ractor.new(pr) { |q| q.call(1) }.value, pr.call(2)] }
shown { Ractor.shareable_proc(self: 3) { self }.call }
shown { Ractor.shareable_lambda { |x| x }.lambda? }
shown { s = +"s"; Ractor.shareable_proc { s } }
shown { Ractor.make_shareable(Thread::Mutex.new) rescue puts $!.class }

puts "-- copies"
Named = Data.define(:left, :right)
class Detailed < StandardError
  def initialize(message, detail)
    super(message)
    @detail = detail
  end
  attr_reader :detail
end
def back(object)
  r = Ractor.new { Ractor.receive }
  r << object
  r.value
end
text = +"s"
shown { c = back(Named.new(text, [text])); [c, c.left.equal?(text), c.left.equal?(c.right[0]), c.frozen?] }
shown { c = back(Point.new(text, [text])); [c, c.x.equal?(text), c.y[0].equal?(c.x)] }
shown { c = back(text..+"z"); [c, c.begin.equal?(text)] }
shown { c = back(Hash.new(text)); [c[1], c[1].equal?(text)] }
shown { c = back(Detailed.new("m", text)); [c.message, c.detail, c.detail.equal?(text)] }
shown { c = back({ text => 1 }.compare_by_identity); [c.keys, c.compare_by_identity?] }
shown { back(Hash.new { 1 }) }
shown { back(binding) }
shown { back(Thread::Mutex.new).locked? }
shown { [back(Time.at(0).utc), back(/x#{1}y/), back("abc".match(/b/))[0], back(Random.new(1)).rand(100) == Random.new(1).rand(100)] }
shown { [Named.new(+"a", []), Point.new(+"a", []), Set[+"a"], RuntimeError.new(+"x")].map { |o| Ractor.shareable?(Ractor.make_shareable(o)) } }
