# needs: ruby-state-machines ruby-wisper ruby-docile ruby-contracts ruby-memoist ruby-naught ruby-ice-nine ruby-concord
require "state_machines"
require "wisper"
require "docile"
require "contracts"
require "memoist"
require "naught"
require "ice_nine"
require "concord"
class Vehicle
  attr_accessor :log, :belt
  state_machine :state, initial: :parked do
    before_transition(parked: any - :parked) { |v| v.belt = true }
    after_transition(on: :crash) { |v| v.log << :tow }
    around_transition { |v, t, block| v.log << t.event; block.call }
    event(:park) { transition %i[idling first] => :parked }
    event(:ignite) { transition stalled: same, parked: :idling }
    event(:shift) { transition idling: :first, first: :second, second: :third }
    event(:crash) { transition all - %i[parked stalled] => :stalled, if: ->(v) { v.belt } }
    state(:parked) { def speed = 0 }
    state(:idling, :first) { def speed = 10 }
    state(:second, :third, :stalled) { def speed = 20 }
  end
  def initialize = (@log = []; super())
end
n = 0
150.times { |i| v = Vehicle.new; v.ignite; v.shift; v.shift if i.odd?; n += v.speed; v.crash; v.park; n += v.log.size + v.speed + (v.can_ignite? ? 1 : 0) }
p n, Vehicle.state_machine.states.map(&:name), Vehicle.new.tap(&:ignite).state_events
begin; Vehicle.new.park!; rescue StateMachines::InvalidTransition => e; puts e.message; end
class Order
  include Wisper::Publisher
  def call(i) = broadcast(i.odd? ? :paid : :refused, i)
end
class Listener
  attr_reader :sum
  def paid(i) = @sum = (@sum || 0) + i
end
l = Listener.new
refused = 0
300.times { |i| Order.new.subscribe(l).on(:refused) { |x| refused += x }.call(i) }
p l.sum, refused
class Builder
  def initialize = @h = {}
  def size(n) = @h[:size] = n
  def topping(*t, &b) = (@h[:t] ||= []).concat(t)
  def build = @h
end
200.times { |i| k = i; n += Docile.dsl_eval(Builder.new) { size k; topping :a, :b; topping(:c) { } }.build[:size] }
p n
class Calc
  include Contracts::Core
  include Contracts::Builtin
  extend Memoist
  Contract Num, Or[String, nil], KeywordArgs[x: Optional[Num]] => Maybe[Num]
  def add(a, b, x: 1) = a + b.to_s.size + x
  Contract ArrayOf[Pos], Func[Num => Num] => HashOf[Num, Num]
  def map(list, f) = list.to_h { |v| [v, f.call(v)] }
  def slow(n) = n * 2
  memoize :slow
end
c = Calc.new
300.times { |i| n += c.add(i, "x", x: 2) + c.map([1, 2, i + 1], ->(v) { v + 1 }).size + c.slow(i % 5) }
p n
begin; c.add("x", "y"); rescue ContractError => e; puts e.message.lines.reject { |x| x =~ /file|Value guarded|At:/i }; end
Null = Naught.build { |b| b.black_hole; b.define_explicit_conversions; b.mimic Listener if false }
p Null.new.foo.bar(1).to_s, Null.new.to_a, Null.new.inspect.class
deep = IceNine.deep_freeze({ a: [1, { b: "s" }], c: Struct.new(:x).new("y") })
p deep[:a][1][:b].frozen?, deep[:c].x.frozen?
class Pt
  include Concord::Public.new(:x, :y)
end
p Pt.new(1, 2) == Pt.new(1, 2), Pt.new(1, 2).x, (Pt.new(1) rescue $!.message), [Pt.new(1, 2), Pt.new(1, 2)].uniq.size
