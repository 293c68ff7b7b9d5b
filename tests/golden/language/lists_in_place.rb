# `f(*list)` where the list has as many elements as the method wants, and where it has not.
def item_check(left, right)
  return 1 if left.nil?
  1 + item_check(*left) + item_check(*right)
end
def tree(d) = d == 0 ? [nil, nil] : [tree(d - 1), tree(d - 1)]
p item_check(*tree(10))
def two(a, b) = [a, b]
def three(a, *r) = [a, r]
def kw(a, b = 5, k: 1) = [a, b, k]
def pass(list) = two(*list)
def pass1(x, list) = two(x, *list)
lists = [[1, 2], [3, 4.0], ["a", :b], [nil, {a: 1}]]
out = nil
400.times { |i| out = [pass(lists[i & 3]), pass1(i, [i.to_s])] }
p out
[[1], [1, 2, 3], [], nil, 5].each { |l| p((pass(l) rescue $!.message)) }
[[1], [1, 2, 3], [], nil, 5].each { |l| p((pass1(0, l) rescue $!.message)) }
class Sub < Array; def to_a = [7, 8]; end
p pass(Sub[1, 2])
def r2(*a) = pass(a)
ruby2_keywords(def r3(*a) = pass(a))
p r2(1, k: 2), (r3(1, k: 2) rescue $!.message)
def cut(list) = (list << 9; two(*list))
l = [1]
p cut(l), (cut(l) rescue $!.message)
300.times { pass([1, 2]) }
def two(a, b) = [b, a]
p pass([1, 2])
def loops(list, n) = (i = 0; s = 0; while i < n; s += two(*list)[0]; i += 1; end; s)
p loops([1, 2], 500), loops([1.5, 2.5], 500)
