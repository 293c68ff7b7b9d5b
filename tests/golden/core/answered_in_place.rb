# Methods that machine code answers by itself: with every kind of receiver, and while they are redefined.
def times_of(n = 300) = n.times.map { yield }.uniq

class Plain; end
class Bare < BasicObject
  def itself_as_text = "bare"
end
class Mine
  def nil? = :mine
  def ! = :not_mine
end
class Kin < String; end
class List < Array; end

def nil_of(x) = x.nil?
def not_of(x) = !x
def word_if_nil(x) = if x.nil? then "nil" else "some" end

# nil? and !, with one class, with several, and with nil in between
a = Plain.new
p times_of { [nil_of(a), not_of(a), word_if_nil(a)] }
p times_of { [nil_of(nil), not_of(nil), word_if_nil(nil), nil_of(false), not_of(false), nil_of(3), not_of(3), nil_of(:a), nil_of(1.5)] }
p times_of { ["", [], {}, 2**80, 1e300, Mine.new, Object, nil_of(a)].map { |x| [nil_of(x), not_of(x)] } .map(&:inspect) }.size
p [Mine.new, Kin.new, List.new].map { |x| [nil_of(x), not_of(x), word_if_nil(x)] }
begin
  nil_of(Bare.new)
rescue NoMethodError => e
  puts e.message
end
p not_of(Bare.new)

# A method that begins to exist
one = Plain.new
def one.nil? = true
p [nil_of(one), nil_of(a), word_if_nil(one), word_if_nil(a)]
class Plain
  def nil? = :plain
  def ! = :not_plain
end
p [nil_of(one), nil_of(a), word_if_nil(a), not_of(a), not_of(one)]
class Plain
  remove_method :nil?, :!
end
p [nil_of(one), nil_of(a), word_if_nil(a), not_of(a)]

# Integers
def parts(i) = [i.even?, i.odd?, i.zero?, i.pred, i.succ, i.next, ~i, i.abs, i.magnitude, i.to_i, i.to_int, i.ord]
p times_of { parts(6) }, times_of { parts(-7) }, times_of { parts(0) }
top = 2**62 - 1
p times_of { parts(top) }, times_of { parts(-top - 1) }, times_of { parts(2**70) }, times_of { parts(-2**70 + 1) }
def even(x) = x.even?
def zero(x) = x.zero?
def before(x) = x.pred
def after(x) = x.succ
[0, 1, -1, top, -top - 1, 2**64].each { |i| p times_of { [even(i), zero(i), before(i), after(i)] } }
p times_of { [zero(0.0), zero(-0.0), zero(1e-300), zero(3r), zero(0i)] }
begin
  even(1.0)
rescue NoMethodError => e
  puts e.message, e.backtrace.first[/in .*/]
end

# What is itself
def texts(s) = [s.to_s.equal?(s), s.to_str.equal?(s), s.to_s.class, s.to_str.class]
p times_of { texts("abc") }, times_of { texts(Kin.new("k")) }, times_of { texts("x".freeze) }
def lists(l) = [l.to_a.equal?(l), l.to_a.class, l.to_ary.equal?(l)]
p times_of { lists([1, 2]) }, times_of { lists(List.new([3])) }
def others(f, s, h) = [f.to_f, s.to_sym, h.to_hash.equal?(h)]
p times_of { others(2.5, :s, {}) }, times_of { others(1e300, :"t u", Hash.new(3)) }
def same(x, y) = x.equal?(y)
p times_of { [same(a, a), same(a, one), same(1, 1), same(1, 2), same("", ""), same(nil, nil), same(2**70, 2**70)] }

# First and last
def ends(l) = [l.first, l.last]
p times_of { ends([1, 2, 3]) }, times_of { ends([nil]) }, times_of { ends([]) }, times_of { ends(List.new([7, 8])) }
p times_of { ends((1..40).to_a) }, times_of { ends((1..40).to_a[3, 20]) }
def first_of(l) = l.first
def last_of(l) = l.last
p times_of { [first_of([]), last_of([]), first_of([4]), last_of([4, 5])] }
def ends_of_new(a, b) = [[a, b].first, [a, b].last]
p times_of { ends_of_new(1, :b) }

# Classes and case
module Trait; end
class Traitful; include Trait; end
def kind(x)
  case x
  when Integer then :integer
  when String then :string
  when Trait then :trait
  when nil then :nothing
  when Comparable then :comparable
  when Array, Hash then :container
  else :other
  end
end
things = [1, 2**70, 1.5, "s", Kin.new, :sym, nil, true, [], List.new, {}, Traitful.new, Plain.new, Object]
p times_of { things.map { |x| kind(x) } }
p times_of { kind(3) }, times_of { kind(Traitful.new) }, times_of { kind([]) }
def is_of(c, x) = c === x
p times_of { [is_of(Integer, 3), is_of(Integer, "3"), is_of(Trait, Traitful.new), is_of(Comparable, 1), is_of(Plain, a)] }
def integer(x) = Integer === x
p times_of { [integer(3), integer(2**70), integer(1.0), integer(nil), integer(Plain.new)] }
def plain(x) = Plain === x
def case_plain(x) = case x when Plain then 1 else 2 end
p times_of { [plain(a), plain(one), plain(3), case_plain(a), case_plain(one), case_plain(3)] }
late = Plain.new
p times_of { plain(late) }, times_of { Trait === late }
late.extend(Trait)
p [Trait === late, kind(late), plain(late), case_plain(late)]
class Plain; include Trait; end
p [kind(a), kind(Plain.new), Trait === a]
def Plain.===(x) = :asked
p [plain(a), case_plain(3), plain(3)]
class << Plain; remove_method :===; end
p [plain(a), case_plain(3), plain(3)]

# block_given?
def given = block_given?
def given_in_block = [1].map { block_given? }.first
def given_by_turns(n) = n.times.map { |i| i.even? ? given : given {} }
def kept(&block) = [block_given?, block.nil?]
def deep = given_deep { 1 }
def given_deep = block_given? ? yield : 0
p times_of { [given, given {}, given(&nil), given(&:a), given_in_block, given_in_block {}, deep, given_deep, kept, kept {}] }
p times_of { given_by_turns(4) }
define_method(:defined_given) { block_given? } rescue self.class.send(:define_method, :defined_given) { block_given? }
p times_of { [defined_given, defined_given {}] }
def block_given? = :mine
p [given, given {}]
class Object; remove_method :block_given?; end
p [given, given {}]

# Refinements
module Odd
  refine Integer do
    def even? = :refined
    def zero? = :refined
  end
  refine String do
    def to_s = "refined"
    def nil? = :refined
  end
  refine Array do
    def first = :refined
  end
end
p eval("using Odd; 300.times.map { [2.even?, 0.zero?, 'a'.to_s, 'a'.nil?, [1].first, 3.odd?] }.uniq")
p [2.even?, 0.zero?, "a".to_s, [1].first]

# What is redefined for all
class Integer
  alias even_before even?
  def even? = :mine
end
p [even(2), even(3), parts(4)[0]]
class Integer
  alias even? even_before
end
p [even(2), even(3)]
class Array
  alias first_before first
  def first(*) = :mine
end
p [first_of([1]), ends([1])]
class Array
  alias first first_before
end
p [first_of([1]), ends([1])]

# Who is told of calls
seen = []
TracePoint.new(:c_call) { |t| seen << t.method_id if %i[equal? block_given?].include?(t.method_id) }.enable do
  even(2); first_of([1]); same(1, 1); given
end
p seen

# A block parameter that is asked whether there is a block
def asks(&block) = block ? :block : :none
def asks_twice(&block)
  return :none unless block
  block.call(2)
end
def keeps(&block)
  kept = block if block
  [kept.class, kept&.call(3), block.equal?(kept)]
end
def asks_within(&block) = [1, 2].map { |x| block ? block.call(x) : x }
def passes(&block) = block && asks_twice(&block)
def assigned(&block)
  block = nil
  block ? 1 : 2
end
def assigned_proc(&block)
  block ||= proc { :own }
  block ? block.call : 0
end
p times_of { [asks, asks {}, asks(&nil), asks(&:to_s), asks(&proc {})] }
p times_of { [asks_twice, asks_twice { |x| x * 2 }, asks_twice(&:succ), passes, passes { |x| -x }] }
p times_of { [keeps, keeps { |x| x + 1 }, keeps(&:to_s)] }
p times_of { [asks_within, asks_within { |x| x * 3 }, asks_within(&:-@)] }
p times_of { [assigned, assigned {}, assigned_proc, assigned_proc { :given }] }
block_of_block = proc { |x, &block| block ? block.call(x) : x }
p times_of { [block_of_block.call(1), block_of_block.call(1) { |x| x + 5 }] }
class Asked
  define_method(:asked) { |&block| block ? block.call : :no }
  define_method(:while_given) { |&block| i = 0; (i += 1; break i if i > 2) while block }
end
p times_of { [Asked.new.asked, Asked.new.asked { :yes }, Asked.new.while_given {}, Asked.new.while_given] }
held = nil
define_method(:escapes) { |&block| held = binding; block ? 1 : 0 } rescue Object.send(:define_method, :escapes) { |&block| held = binding; block ? 1 : 0 }
p escapes { :from_binding }, held.local_variable_get(:block).call
