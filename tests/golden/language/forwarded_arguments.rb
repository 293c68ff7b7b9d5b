def t(*a, **k, &b) = [a, k, b&.call]
def f(...) = t(...)
def g(*, **, &) = t(*, **, &)
def h(**) = {**}
def h2(**) = {a: 1, **}
def h3(**) = t(**, z: 1)
class P; def m(*a, **k, &b) = [a, k, b&.call]; end
class Q < P; def m(...) = super; end
class R < P; def m(*, **, &) = super; end
class S < P; def m(...) = super(...); end
p f, f(1), f(1, a: 2), f(1, a: 2) { 3 }, f { 9 }, f({a: 1}), f(**{})
p g, g(1), g(1, a: 2) { 3 }
p h, h(b: 1), h2, h2(b: 2), h3, h3(y: 2)
[Q, R, S].each { |c| p c.new.m, c.new.m(1), c.new.m(1, k: 2) { 4 } }
def e(**) = eval("t(**)")
p e, e(q: 1)
def fe(...) = eval("t(...)")
p fe, fe(1, q: 1) { 5 }
def blk(...) = [1].each { |x| return t(x, ...) }
p blk(2, z: 3) { 6 }
p(->(**) { 1 }.call, proc { |a, **| a }.call([1]))
def brk(...) = t2(...)
def t2 = yield
p brk { break 7 }
def lam(...) = lambda(...)
l = (lam { |x| x } rescue p $!)
def pr(...) = proc(...)
p pr { 1 }.call
def o(x, **) = [x, binding.local_variables]
p o(1), o({a: 1}), (o(1, a: 2))
p method(:f).parameters, method(:h).parameters
def nokw(x) = x
def fnk(...) = nokw(...)
p fnk({a: 1}), fnk(a: 1)
class MM; def method_missing(n, *a, **k, &b) = [n, a, k, b&.call]; def respond_to_missing?(*) = true; end
p MM.new.zork(1, a: 2) { 3 }, MM.new.zork(*[1, 2], **{b: 1}), MM.new.send(:zork, 1, c: 1), MM.new.send(:zork, **{}), MM.new.public_send(:zork, 1, **{d: 4})
h0 = {x: 1}; r = MM.new.send(:zork, **h0); r[2][:y] = 1; p h0
def kk(**k) = k
h1 = {x: 1}; kk(**h1)[:y] = 2; send(:kk, **h1)[:z] = 3; p h1
