# What is not run while a method becomes hot is run often later: branches, loops, handlers, optional parameters, recursion.

def branches(x, y = 1, *rest)
  if x < 1000
    x + 1
  elsif x < 2000
    sum = 0
    [x, y].each { |one| sum += one }
    sum
  else
    begin
      raise ArgumentError, "three" if x % 3 == 0
      i = 0
      while i < 10
        i += 1
        y += i
      end
      y + rest.size
    rescue ArgumentError => e
      e.message.size
    ensure
      $seen = x
    end
  end
end

total = 0
3000.times { |i| total += branches(i) }
p total, $seen
3000.times { |i| total += branches(i, 2) }
3000.times { |i| total += branches(i, 2, i, i) }
p total, $seen

def loops(n)
  i = sum = 0
  while i < n
    sum += i
    i += 1
  end
  j = 0
  list = []
  while j < n
    list << j if j % 1000 == 0
    unless j.even?
      list << -j if j % 999 == 0
    end
    j += 1
  end
  [sum, list.size, list.sum]
end
p loops(20_000), loops(20_000)

def recursive(x)
  return recursive(x - 1) if x > 5
  x == 3 ? recursive(2).to_s : x.to_s
end
300.times { recursive(8) }
p Array.new(200) { recursive(3) }.tally, recursive(9)

# Each of many blocks is reached after all others have been.
def many(x)
  case x
  when 0 then :zero.to_s
  when 1 then [x, x].sum.to_s
  when 2 then { x => x }.to_s
  when 3 then x.succ.to_s + many(0)
  when 4 then yield(x).to_s
  when 5 then (x.zero? || x.positive? && x.digits.first).to_s
  when 6 then x.then { |y| y + 1 }.to_s
  when 7 then return "seven"
  else "other #{x}"
  end
end
p((0..8).map { |x| Array.new(500) { many(x) { |y| y * 2 } }.tally })
p((0..8).map { |x| Array.new(50) { many(x) { |y| y * 3 } }.tally })

# Cells that stay empty though their instructions run.
class Ghost
  def method_missing(name, *args) = name == :known ? args.sum : super
  def respond_to_missing?(*) = true
end
def ghostly(x, ghost)
  if x < 200
    x
  else
    ghost.known(x, 1) + ghost.known(x)
  end
end
ghost = Ghost.new
p (0...1000).sum { |x| ghostly(x, ghost) }

# A method is redefined between the times at which its blocks are reached.
def called(x) = x
def calling(x, which)
  if which == 0
    called(x)
  elsif which == 1
    called(x + 1) * called(2)
  else
    called(x + 2) - called(3)
  end
end
3.times do |which|
  300.times { |i| total += calling(i, which) }
  p total
  self.class.send(:define_method, :called) { |x| x + which } if which == 1
  def called(x) = x * 2 if which == 0
end

# Errors come from blocks that were reached later, with the lines and frames that they have.
def failing(x)
  if x < 150
    x
  else
    [x].map do |y|
      Integer("x#{y}") if y.odd?
      y
    end
  end
end
lines = Hash.new(0)
600.times do |x|
  failing(x)
rescue ArgumentError => e
  lines[[e.message.sub(/\d+/, "N"), e.backtrace_locations.map { |at| [at.lineno, at.label] }.first(5)]] += 1
end
lines.each { |line, count| p line, count }

# Variables that a later block captures or assigns.
def captures(x)
  a = x
  if x > 300
    b = -> { b.nil? ? 0 : a += 1 }
    b.() + b.()
    c = binding
    a += c.local_variable_get(:x)
  end
  a
end
p (0...900).sum { |x| captures(x) }

# `break`, `next`, `redo` and `throw` that were not reached at first.
def jumps(x)
  got = [1, 2, 3].each do |y|
    next if x < 200
    break y * x if y == 2 && x < 500
    throw :out, y + x if x > 700
  end
  got.is_a?(Array) ? got.size : got.to_i
end
p (0...900).sum { |x| catch(:out) { jumps(x) } }
