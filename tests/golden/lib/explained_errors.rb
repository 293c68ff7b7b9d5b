# What error_highlight and did_you_mean add to messages.
require "error_highlight"
require "did_you_mean"
def show
  yield
rescue Exception => e
  puts e.detailed_message
  puts "---"
end
show { 1.time { } }
show { nil.foo + 1 }
show { x = nil; x&.foo; x.foo(42, 43) }
show { nil[0] }
show { nil[0] = 1 }
show { nil.foo = 1 }
show { nil + 1 }
show { -nil }
show { 1 + nil }
show { 1 + "a" }
show { [1, 2].first("x") }
show { Integer("abc") }
show { foo }
show { foo(42) }
show { foo 42 }
show { Foo }
show { Comparable::Bar }
show { Comparable::Bar::Baz }
show { v = nil; v += 1 }
show { v = 1; v += nil }
show { v = Object.new; v.foo += 42 }
show { v = Struct.new(:foo).new; v.foo += 42 }
show { v = [nil]; v[0] += 42 }
show { v = Object.new; v[0] += 42 }
show { raise ArgumentError, "boom" }
show { raise TypeError.new("boom") }
show { raise NameError, "custom" }
def m(x, y) = 1
show { m(1) }
def k(kw1:, kw2:) = 1
show { k(kw1: 1) }
show { k(kw1: 1, kw2: 2, kw3: 3) }
show { [].push.first(1, 2) }
l = -> {}
show { l.call(1) }
l2 = lambda { |x, y| }
show { l2.(1) }
show { if nil > 3 then 2 end }
show { nil.foo; "é" }
show { nil.foo }
show { nil
  .foo
  .bar }
show { if 3 < nil then 2 end }
show { Struct.new(:a).new(1,2) }
show { @a.foo while @b.nil? }
show { "#{nil.foo}" }
show { [1,2,3].map { |q| q.upcase } }
show { [1,2,3].map(&:upcase) }
show { obj = Object.new; def obj.bar(a) = 1; obj.bar }
show { nil.foo { |x| 3 } }
show { !nil.foo }
show { 1.foo unless nil }
show { (nil).bar }
show { a, b = nil.foo, 2 }
show { a = [nil]; a[0].b, c = 1, 2 }
show { super_missing = 1; zork? }
show { case 1 when nil.foo then 3 end }
show { return_it = 1 ? nil.foo : 3 }
show { BasicObject.new.inspect }
show { {a: 1}.fetch(:b) }
show { {foo: 1} => {fooo:} }
show { 3.times.foo.bar; nil.baz }
show { Hash.new.fetchh(1) }
class Foo2; attr_accessor :nmae, :name; def initialize; @name=1; end; def x = nam; end
show { Foo2.new.x }
show { Foo2.new.nmae2 = 3 }
show { Kernl }
show { first_name = 1; frist_name }
show { @@foo }
show { Process::Statu }
show { p(1, zzz: nil.oops) }
begin
  nmae = 1
  nam
rescue NameError => e
  p e.corrections, e.original_message, e.message, e.spell_checker.class, e.local_variables.include?(:nmae)
  puts e.detailed_message(highlight: false), e.detailed_message(highlight: false, did_you_mean: false)
  puts e.detailed_message(highlight: false, error_highlight: false), e.full_message(highlight: false).lines.first(4).join
  p ErrorHighlight.spot(e).except(:script_lines)
end
p NameError.ancestors.take(2), KeyError.ancestors.take(2), TypeError.ancestors.take(2)
p DidYouMean::SpellChecker.new(dictionary: ["email", "fail", "eval"]).correct("meail")
p DidYouMean::Levenshtein.distance("kitten", "sitting"), DidYouMean::Levenshtein.distance("", "abc")
p DidYouMean::JaroWinkler.distance("martha", "marhta"), DidYouMean::Jaro.distance("dixon", "dicksonx")
p DidYouMean::TreeSpellChecker.new(dictionary: %w[spec/models/user_spec.rb spec/lib/a_spec.rb]).correct("spec/modals/user_spec.rb")
class Subclass < NameError
  def detailed_message(...) = super + "!"
end
begin
  raise Subclass.new("wrong", :foo, receiver: 1)
rescue NameError => e
  puts e.detailed_message(highlight: false)
end
ErrorHighlight::DefaultFormatter.max_snippet_width = 30
begin
  some_very_long_receiver = nil; some_very_long_receiver.a_rather_long_method_name(1, 2, 3, 4, 5)
rescue NameError => e
  puts e.detailed_message(highlight: false)
end
ErrorHighlight::DefaultFormatter.max_snippet_width = nil
ErrorHighlight.formatter = Class.new { def self.message_for(spot) = " at column #{spot[:first_column]}" }
begin
  nil.foo
rescue NameError => e
  puts e.detailed_message(highlight: false)
end
