class K
  attr = 5
  define_method(:zero) { :b }
  define_method(:one) { |arg| arg + attr }
  define_method(:blk) { |n| [1,2].map { |x| x + n + attr } }
  define_method(:ret) { |n| return n if n > 3; n * 2 }
  define_method(:fail1) { |n| raise ArgumentError, "n#{n}" if n == 90_000; n }
  define_method(:who) { [self.class, __method__] }
  @@count = 0
  cnt = 0
  define_method(:inc) { cnt += 1 }
  define_method(:cnt) { cnt }
end
k = K.new
s = 0
100_000.times do |i|
  k.zero
  s += k.one(i)
  s += k.ret(i)
  s += k.blk(i).sum if i % 10 == 0
  k.inc
end
p s, k.cnt, k.who
begin
  100_000.times { |i| k.fail1(i) }
rescue => e
  p e.message, e.backtrace.first(3).map { |l| l[/:\d+:in .*/] }
end
def opt(a, b = a + 1, c = b * 2, &blk) = blk ? blk.call(a + b + c) : a + b + c
t = 0
100_000.times { |i| t += opt(i); t += opt(i, 2); t += opt(i, 2, 3); t += opt(i) { |x| x - 1 } }
p t
def opt2(a, b = 7) = b > 8 ? binding.local_variables : a + b
p (1..100_000).sum { |i| opt2(i) }
p opt2(1, 9)
A = [3, 1, 2]
r = 0
100_000.times { A.reverse_each { |x| r += x }; r += A.index { |x| x == 2 } }
p r
def spl(a, b = 2) = a + b
ar = [1, 2]; z = 0
100_000.times { z += spl(*ar); z += spl(*[5]) }
p z
x = "abc".dup
100_000.times { |i| x.setbyte(i % 3, i % 120) }
p x
begin; 100_000.times { |i| "frozen".freeze.setbyte(0, 1) }; rescue => e; p e.message; end
begin; 100_000.times { |i| x.setbyte(i, 300) }; rescue => e; p e.message, x; end
class K; define_method(:zero) { :c }; end
p k.zero
