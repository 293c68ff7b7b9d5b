# Conditionals and loops: if, unless, case, while, until, for, loop, redo, next, break, flip-flop, modifiers.
def classify(n)
  if n < 0 then :negative
  elsif n.zero? then :zero
  else
    :positive
  end
end
p classify(-1), classify(0), classify(1)
p (if false then 1 end), (unless false then 2 end), (1 if nil), (3 unless nil)
p (true && nil), (false || :or), (not true), (nil and 1), (1 or 2), (!nil), (1 && 2 || 3)
p 5 > 3 ? :yes : :no, (5 > 3) ? (1 > 2 ? :a : :b) : :c

def kind(value)
  case value
  when Integer, Float then "number"
  when "a".."f" then "letter a-f"
  when /\A\d+\z/ then "digits"
  when nil then "nil"
  when ->(v) { v.respond_to?(:each) } then "enumerable"
  when *%w[x y], "z" then "one of xyz"
  else "unknown"
  end
end
p [1, 2.0, "c", "42", nil, [], "y", "z", :sym].map { kind(_1) }
p (case when 1 > 2 then :a when 2 > 1 then :b end), (case 5 when 6 then 1 end)

i = 0
while i < 10
  i += 1
  next if i.odd?
  break if i > 6
  print i, " "
end
puts
i = 3
print i -= 1, " " until i.zero?
puts
i = 0
begin i += 1 end while i < 3
p i
i = 10
begin i += 1 end until true
p i
p (while false do end), (i = 0; while true do i += 1; break i * 2 if i == 4 end), (until true do end)

for a in 1..3 do print a, " " end
for a, b in { x: 1, y: 2 } do print a, b, " " end
puts
p a, (for q in [] do end), (for q in [1, 2] do end)

attempts = 0
result = [1, 2, 3].map do |x|
  attempts += 1
  redo if attempts == 2
  x * attempts
end
p result, attempts

n = 0
loop_value = loop do
  n += 1
  next if n < 3
  raise StopIteration, "ignored" if n == 5
end
p n, loop_value
enum = [1, 2].each
p loop { enum.next }

p (1..20).select { |v| true if (v % 5 == 0)..(v % 3 == 0) }
p (1..20).select { |v| true if (v % 5 == 0)...(v % 5 == 0) }
1.step(10, 4) { print _1, " " }
10.downto(7) { print _1, " " }
1.0.step(2.0, 0.5) { print _1, " " }
puts
outer = (1..3).each do |x|
  (1..3).each do |y|
    next if y == 2
    break if y == 3
    print [x, y]
  end
end
puts
p outer
p (1..Float::INFINITY).lazy.map { _1 * 2 }.select { _1 % 3 == 0 }.first(3)
x = if true
  1
else
  2
end
p x
y = while true do break end
p y
z = case 1 when 1 then "one" end
p z
p (begin; 1; 2; end), (), (1; 2)
found = nil
[1, 2, 3].each { |v| (found = v; break) if v > 1 }
p found
p [nil, false, 0, "", []].map { _1 ? true : false }
value = nil
value ||= 5
value &&= value + 1
h = Hash.new(0)
h[:a] += 1
h[:b] ||= 7
@maybe ||= []
@maybe << 1
p value, h, @maybe
s = "x"
s += "y" unless s.empty?
s *= 2
p s
c = 5
c -= 1; c *= 3; c **= 2; c /= 5; c %= 7; c |= 8; c &= 12; c ^= 1; c <<= 2; c >>= 1
p c
BEGIN { puts "BEGIN runs first" }
p __LINE__
catch(:done) do
  10.times { |k| 10.times { |l| throw :done if k * l == 6 } }
  p :never
end
p catch { |tag| throw tag, :value }, catch(:a) { catch(:b) { throw :a, 1 }; 2 }, catch(:c) { 3 }
