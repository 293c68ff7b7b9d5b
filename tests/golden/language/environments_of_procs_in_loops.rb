# oracle: native
# Loops over variables that a Proc, a binding or a thread shares: compiled loops read and write them where these do.

def counted(n)
  i = 0
  sum = 0
  get = -> { [i, sum] }
  while i < n
    sum += i & 7
    i += 1
  end
  get.call
end
p counted(300_000)

def floats(n)
  x = 1e200
  y = 0.5
  get = -> { [x, y] }
  i = 0
  while i < n
    x = x * 1.0000001
    y += 0.25 if i % 3 == 0
    i += 1
  end
  get.call
end
p floats(200_000)

# A compiled block writes a large Float to a variable around it, whose environment is old: the collector has to be told.
def large(rounds)
  number = 1e200
  grow = ->(n) { n.times { number = number * 1.00000001 } }
  get = -> { number }
  2.times { GC.start }
  grow.call(200_000)
  rounds.times do
    grow.call(200)
    GC.start(full_mark: false)
    others = Array.new(2000) { |q| q * -1e250 }
    found = get.call
    return found unless found.is_a?(Float) && found > 0 && others
  end
  :kept
end
p large(20)

# The same of objects, in the loop's own environment.
def objects(n)
  last = nil
  all = 0
  get = -> { last }
  2.times { GC.start }
  i = 0
  while i < n
    last = "turn #{i}"
    all += last.size
    i += 1
    if i % 20_000 == 0
      GC.start(full_mark: false)
      others = Array.new(500) { |q| "other #{q}" }
      raise get.call unless get.call == "turn #{i - 1}" && others
    end
  end
  [get.call, all]
end
p objects(200_000)

# What the variable holds changes its class on the way.
def mixed(n)
  x = 1
  get = -> { x }
  seen = []
  i = 0
  while i < n
    x = i == n / 2 ? x.to_f : x + 1
    x = "#{x}" if i == n - 2
    x = x.size if i == n - 1 && x.is_a?(String)
    seen << x.class if i > n - 4 || i == n / 2
    i += 1
  end
  [get.call, seen]
rescue TypeError => error
  [error.class, get.call.class]
end
p mixed(200_000)

def overflowing(n)
  x = 2**61
  get = -> { x }
  i = 0
  while i < n
    x += 2**45
    i += 1
  end
  [get.call, get.call.class]
end
p overflowing(150_000)

# A block in the loop, and one that is called, write it too.
def from_everywhere(n)
  s = 0
  add = ->(q) { s += q }
  list = [1, 2, 3]
  i = 0
  while i < n
    list.each { |e| s += e }
    add.call(i & 1)
    s -= 1
    i += 1
  end
  [s, binding.local_variable_get(:s), add.call(0)]
end
p from_everywhere(150_000)

def blocks(n)
  s = 0
  f = 0.0
  get = -> { [s, f] }
  n.times do |q|
    s += q if q.odd?
    f += 0.5
  end
  [1, 2, 3].each { |e| n.times { s ^= e } }
  1.upto(n) { |q| s, f = s + 1, f - 0.25 if q % 5 == 0 }
  get.call
end
p blocks(150_000)

# Different blocks, one method.
def turn(n)
  i = 0
  while i < n
    yield i
    i += 1
  end
end

def many_blocks
  a = 0
  b = 1.5
  c = "x"
  get = -> { [a, b, c.size] }
  20.times do
    turn(20_000) { |q| a += q }
    turn(20_000) { |q| b += 1 }
    turn(200) { |q| c = c + "y" if q % 100 == 0 }
    turn(20_000) { |q| a -= q; b -= 1.0 }
  end
  get.call
end
p many_blocks

# A thread writes it while the loop turns.
def watched
  done = false
  turns = 0
  thread = Thread.new { Thread.pass until turns > 100_000; done = true }
  turns += 1 until done
  thread.join
  turns > 100_000
end
p watched

# An error leaves the loop in the middle of a turn.
def stopped(n)
  s = 0
  get = -> { s }
  begin
    i = 0
    while true
      s += 1
      Integer("x") if i == n
      i += 1
    end
  rescue ArgumentError => error
    [get.call, i, error.message]
  end
end
p stopped(150_000)

# At the top level, with a variable that an eval sees.
total = 0
at = -> { total }
150_000.times { |q| total += q & 3 }
eval("total += 1")
j = 0
while j < 150_000
  total += 1
  j += 1
end
p at.call, j
