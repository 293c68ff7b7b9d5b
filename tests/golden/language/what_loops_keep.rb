# Loops that read the same variables, fields and arrays at each turn, where those stay as they are and where they do not.

class Box
  attr_accessor :value, :late
  def initialize(value) = @value = value
  def sum(n)
    s = 0
    n.times { s += @value }
    s
  end
end
class Pile < Array
  attr_accessor :name
end
class Counter
  @count = 5
  class << self
    attr_reader :count
    def many(n)
      s = i = 0
      while i < n
        s += @count
        i += 1
      end
      s
    end
    def forget = remove_instance_variable(:@count)
  end
end

def read(box, n)
  i = s = 0
  while i < n
    s += box.value
    i += 1
  end
  s
end
p read(Box.new(2), 5000), Box.new(3).sum(5000)

# The object is another one from some turn on, and of another class.
def change(boxes, n)
  box = boxes[0]
  s = 0.0
  i = 0
  while i < n
    s += box.value
    box = boxes[1] if i == n / 2
    i += 1
  end
  s
end
other = Class.new { def value = 0.5 }
p change([Box.new(1), Box.new(2)], 5000)
p change([Box.new(1), other.new], 5000)
p((change([Box.new(1), nil], 5000) rescue $!.class))

# Variables of the blocks around.
x = 1
box = Box.new(1)
add = ->(n) do
  i = s = 0
  while i < n
    s += x + box.value
    i += 1
  end
  s
end
p add[5000]
x = 1.5
p add[5000]
box = other.new
p add[5000]
x = nil
p((add[10] rescue $!.class))

x = 0
count = ->(n) do
  i = 0
  while i < n
    x += 1
    x = x.to_s if i == n - 1
    i += 1
  end
  x
end
p count[5000]
x = 0
p count[3000]

# What a loop calls writes what it reads.
y = 1
twice = -> { y *= 2 if y < 1000 }
writes = ->(n) do
  i = s = 0
  while i < n
    s += y
    twice.call if i % 1000 == 999
    i += 1
  end
  s
end
p writes[5000]

# Fields outside of the slot, which come late.
late = Box.new(1)
late.late = 7
def late_sum(box, n)
  i = s = 0
  while i < n
    s += box.late
    i += 1
  end
  s
end
p late_sum(late, 5000)
p((late_sum(Box.new(1), 5) rescue $!.class))
pile = Pile.new
pile.name = "a"
def names(pile, n)
  i = 0
  found = nil
  while i < n
    found = pile.name
    pile.name = i if i == n - 2
    i += 1
  end
  found
end
p names(pile, 5000), names(Pile.new, 3)
p Counter.many(5000)
Counter.forget
p((Counter.many(5) rescue $!.class))

# An object gets fields while the loop runs.
def grows(n)
  box = Box.new(1)
  i = s = 0
  while i < n
    s += box.value
    box.late = i if i == n - 100
    box.instance_variable_set(:"@more#{i}", i) if i > n - 50
    s += box.late || 0
    i += 1
  end
  [s, box.instance_variables.size]
end
p grows(5000)

# Arrays: elements, length and place change.
def total(array, n)
  i = s = 0
  while i < n
    s += array[i & 3] + array.size
    i += 1
  end
  s
end
p total([1, 2, 3, 4], 5000)
def moves(array, n)
  i = s = 0
  while i < n
    s += array[i & 3]
    array << i if i % 100 == 0
    array[i & 3] = i
    i += 1
  end
  [s, array.size, array.last]
end
p moves([1, 2, 3, 4], 5000)
def empties(array, n)
  i = s = 0
  while i < n
    s += array[i & 3] || 100
    array.clear if i == n - 2
    i += 1
  end
  s
end
p empties([1, 2, 3, 4], 5000)
def frozen_in_time(array, n)
  i = 0
  while i < n
    array[0] = i
    array.freeze if i == n - 10
    i += 1
  end
rescue => e
  [e.class, array]
end
p frozen_in_time([1, 2], 5000)
def nested(rows)
  s = 0
  rows.each_with_index do |row, i|
    j = 0
    while j < row.size
      k = 0
      while k < rows.size
        s += row[j] * rows[k].size + i
        k += 1
      end
      j += 1
    end
  end
  s
end
20.times { nested(Array.new(20) { |i| Array.new(20, i) }) }
p nested(Array.new(20) { |i| Array.new(20, i) })
p nested([[1], [2, 3], []])
p((nested([[1], nil]) rescue $!.class))

# A guard that stands where hardly any turn comes.
def seldom(list, odd, n)
  i = s = 0
  while i < n
    s += list[i & 1]
    s += odd.value if i % 1000 == 1
    i += 1
  end
  s
end
p seldom([1, 2], Box.new(10), 5000), seldom([1, 2], other.new, 5000), seldom([1, 2], nil, 1)
3.times { |k| p seldom([1, 2], [Box.new(1), other.new, Box.new(0.5)][k], 3000) }

# Names come to mean something else.
def renamed(box, n)
  i = s = 0
  while i < n
    s += box.value
    Box.class_eval { def value = 1000 } if i == n - 5
    i += 1
  end
  s
end
p renamed(Box.new(1), 5000)

# Literals that are made at each turn, used or not.
def made(n)
  i = 0
  last = nil
  while i < n
    "unused"
    [i, i]
    last = ["a", i, [1, 2]]
    last[2] << i
    last[0] << "b"
    i..n
    i += 1
  end
  last
end
p made(3000)
