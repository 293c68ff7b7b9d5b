# A hash that ruby2_keywords flagged becomes keywords as the last element of a splat, unless the call has keywords of its own,
# be they none.
def m(*a, **k) = [a, k]
def n(*a) = a
h2 = Hash.ruby2_keywords_hash({k: 3})
s2 = [h2]
e = {}
r = n(*s2, **nil)
p Hash.ruby2_keywords_hash?(r[0]), r[0].equal?(h2)
r = m(*s2, **e)[0]
p Hash.ruby2_keywords_hash?(r[0]), r[0].equal?(h2)
p m(*s2, *[]), m(*[], *s2), m(*s2, *s2)
def f(...) = m(...)
p f(*s2), f(*s2, **nil), f(*s2, **e)
def g(*, **) = m(*, **)
p g(*s2), g(*s2, **nil)
ruby2_keywords def q(*a) = m(*a, **nil)
ruby2_keywords def r(*a) = m(*a)
p q(k: 1), r(k: 1), q(1, k: 1)
class A; def z(*a, **k) = [a, k]; end
class B < A; def z(*a, **k) = super; end
p B.new.z(*s2, **nil), B.new.z(*s2)
class C < A; def z(*a, **nil) = super; end
p C.new.z(*s2, **nil)
p C.new.z(*s2) rescue p $!.message
p m(*s2, k: 4), m(*s2, **{k: 4})
p [].push(*s2, **nil), m(*s2, &nil), m(*s2, **nil, &nil)
x = [*s2]
p m(*x, **(e if true))
def o(**nil) = 1
p((o(*s2, **nil) rescue $!.message))
p send(:m, *s2, **nil), method(:m).call(*s2, **nil), public_send(:then) { m(*s2, **nil) }
p proc { |a, **k| [a, k] }.call(*s2, **nil), proc { |a, **k| [a, k] }.call(*s2)
class Foo < Array
  def push(args) = super(1, *args)
end
none = [Hash.ruby2_keywords_hash({})]
p Foo.new.push([2, 3]), Array[0, *[2, 3], **nil], Array.send(:[], *none), Array[*none], Array[*none, **nil], Array[*none, **{}], Array[*none, **e]
10.times { p Array[*none, **nil] if Array[*none, **nil] != [{}] || Array[*none] != [] }
