# Keyword splats beside block arguments that change them, and beside an array that a block takes apart; modules included and prepended.
def t(*, **o, &b) = [o, b&.call(1)]
h = {a: 3, b: :succ}
p t(**h, &h.delete(:b)), h
h = {a: 3, b: :succ}
p t(1, **h, c: 2, &h.delete(:b)), h
h = {a: 3, b: :succ}
p t(1, *[2], **h, &h.delete(:b)), h
a = [1, :succ]
def u(*a, &b) = [a, b&.call(1)]
p u(*a, &a.pop), a
a = [1, :succ]
p u(0, *a, &a.pop), a
def y1 = (yield [1, 2, 3], **{})
h0 = {}
define_method(:y2) { |&b| b.call([1, 2], **h0) } rescue 0
def y3(h = {}) = (yield [1, 2, 3], **h)
def y4(h = {}) = (yield [1, 2, 3], *[], **h)
y1 { |x, y = 0| p [x, y] }; y1 { |x, y| p [x, y] }; y1 { |x, *y| p [x, y] }; y1 { |x, y, k: 1| p [x, y, k] }; y1 { |x, **k| p [x, k] }; y1 { |x, y, **k| p [x, y, k] }; y1 { |*x| p x }; y1 { |x| p x }
y3 { |x, y = 0| p [x, y] }; y3 { |x, y| p [x, y] }; y3 { |x, *y| p [x, y] }; y3({k: 2}) { |x, y, k: 1| p [x, y, k] }; y3({k: 2}) { |x, y| p [x, y] }; y3 { |x, y, **k| p [x, y, k] }
y4 { |x, y = 0| p [x, y] }; y4 { |x, y| p [x, y] }
pr = proc { |x, y| [x, y] }; p pr.call([1, 2], **h0), pr.([1, 2], **{}), pr.yield([1, 2], **h0), pr.call(*[[1, 2]], **h0)
[[1, 2]].each { |x, y| p [x, y] }
p [[1, 2]].map { |x, **k| [x, k] }, [[1, {a: 1}]].map { |x, **k| [x, k] }
m = Module.new; k = Class.new; sc = k.singleton_class; sc.include m; sc.prepend m
p sc.ancestors.first(3).map { |x| x == m ? :m : x == sc ? :sc : :c }
k2 = Class.new; k2.include m; k2.prepend m; p k2.ancestors.first(3).map { |x| x == m ? :m : x == k2 ? :k : :o }
k3 = Class.new; k3.prepend m; k3.include m; p k3.ancestors.first(3).map { |x| x == m ? :m : x == k3 ? :k : :o }
m2 = Module.new; m2.include m; m2.prepend m; p m2.ancestors.map { |x| x == m ? :m : x == m2 ? :k : :o }
k4 = Class.new(k2); k4.include m; p k4.ancestors.first(4).map { |x| x == m ? :m : x == k2 ? :k : x == k4 ? :k4 : :o }
k5 = Class.new(k2); k5.prepend m; p k5.ancestors.first(5).map { |x| x == m ? :m : x == k2 ? :k : x == k5 ? :k5 : :o }
['[0-1-\s]', '[a-c-e]', '[a-c-\w]', '[a-z-\p{Alpha}]', '[0-1--x]', '[a-b-[c]]'].each { |s| p [s, ("!".."~").select { Regexp.new(s).match?(_1) }.join] }
