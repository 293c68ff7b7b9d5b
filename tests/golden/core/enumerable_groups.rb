# What Enumerable passes on of what `each` yields: nothing, one value, an array, several values.
class Few
  include Enumerable

  def each
    yield
    yield 1
    yield nil
    yield [2, 3]
    yield 4, 5
    yield [6, 7], 8
    yield [9]
    yield k: 1
    :done
  end
end

class Pairs
  include Enumerable

  def each
    yield 1, :a
    yield 2, :b
  end
end

class Nothing
  include Enumerable

  def each
    yield
    yield
  end
end

def show(name)
  puts "#{name}: #{yield.inspect}"
rescue ArgumentError, NoMethodError, TypeError => e
  puts "#{name}: #{e.class}: #{e.message[/\A[^\n]{0,60}/]}"
end

FEW = Few.new
PAIRS = Pairs.new
NOTHING = Nothing.new
BLOCKS = {
  one: proc { |a| [a] },
  two: proc { |a, b| [a, b] },
  rest: proc { |*a| a },
  lead_and_rest: proc { |a, *b| [a, b] },
  none: proc { :none },
  optional: proc { |a, b = :default| [a, b] },
  lambda_rest: lambda { |*a| a },
  nested: proc { |(a, b), c| [a, b, c] },
}.freeze

[FEW, PAIRS, NOTHING].each do |source|
  puts source.class
  BLOCKS.each do |name, block|
    show("map #{name}") { source.map(&block) }
    show("flat_map #{name}") { source.flat_map(&block) }
    show("filter_map #{name}") { source.filter_map(&block) }
    show("count #{name}") { source.count(&block) }
    show("find_index #{name}") { source.find_index(&block) }
    show("take_while #{name}") { source.take_while(&block) }
    show("uniq #{name}") { source.uniq(&block) }
    %i[all? any? none? one?].each { |method| show("#{method} #{name}") { source.public_send(method, &block) } }
    show("lazy map #{name}") { source.lazy.map(&block).to_a }
    show("lazy flat_map #{name}") { source.lazy.flat_map(&block).to_a }
    show("lazy filter_map #{name}") { source.lazy.filter_map(&block).to_a }
    show("each_entry map #{name}") { source.each_entry.map(&block) }
    show("each_with_index map #{name}") { source.each_with_index.map(&block) }
    show("to_enum map #{name}") { source.to_enum.map(&block) }
  end
  %i[all? any? none? one?].each do |method|
    show(method) { source.public_send(method) }
    show("#{method} Array") { source.public_send(method, Array) }
    show("#{method} nil") { source.public_send(method, nil) }
    show("#{method} Integer") { source.public_send(method, Integer) }
  end
  show("uniq") { source.uniq }
  show("to_a") { source.to_a }
  show("lazy to_a") { source.lazy.to_a }
  show("lazy zip") { source.lazy.zip(source.to_a).to_a }
  show("lazy with_index") { source.lazy.with_index.to_a }
  show("map inspect") { source.map(&:inspect) }
  show("map to_s") { source.map(&:to_s) }
  show("map method") { source.map(&method(:Array)) }
  show("find_index value") { source.find_index([2, 3]) }
  show("take_while true") { source.take_while { true } }
  show("lambda of two") { source.map(&->(a, b) { [a, b] }) }
  show("lambda of one") { source.map(&->(a) { a }) }
  show("any? lambda of two") { source.any?(&->(a, b) { b }) }
  show("each_slice") { source.each_slice(2).map { |a, b| [a, b] } }
end

# What a block does to its parameters is its own.
class Lists
  include Enumerable

  def each
    @list = [1, 2]
    yield @list
    yield @list
    yield(*@list)
  end
end
p Lists.new.map { |list, more| list = [list, more] }
p Lists.new.map { |*list| list << 3 }
p Lists.new.take_while { |*list| list.clear }
p Lists.new.uniq { |*list| list.push(4).size }

# Arrays of several lengths and what becomes one are taken apart, while the code runs long enough to be compiled.
class Sub < Array; end

class Convertible
  def initialize(list) = @list = list
  def to_ary = @list
end

def each_of(values)
  i = 0
  while i < values.size
    yield values[i]
    i += 1
  end
end

def apart(values)
  sum = 0
  each_of(values) { |a, b| sum += a.to_i + (b || 100).to_i }
  sum
end

def apart_in_three(values)
  list = []
  each_of(values) { |a, b, c| list = [c, b, a] }
  list
end

plain = Array.new(50) { |i| [i, i + 1] }
p 40.times.map { apart(plain) }.uniq
p 40.times.map { apart_in_three(plain) }.uniq
p apart([[1], [], [1, 2, 3], Sub[5, 6], Convertible.new([7, 8]), 9, nil, Sub[]])
p apart_in_three([[1]]), apart_in_three([Sub[1, 2, 3, 4]]), apart_in_three([Convertible.new([1])]), apart_in_three([{ a: 1 }])
mixed = plain + [[1], Sub[5, 6], Convertible.new([7, 8]), 9, nil, "8"]
p 40.times.map { apart(mixed) }.uniq
p 40.times.map { apart_in_three(mixed) }.uniq

# Elements change while a block runs; its parameters do not.
def changed(list)
  pair = [1, 2]
  result = []
  each_of([pair, pair]) do |a, b|
    pair.clear.push(a + 10, b + 10, 0)
    result << a << b
  end
  result
end
p 40.times.map { changed([]) }.uniq

# Blocks that are passed on.
class Passing
  include Enumerable

  def initialize(*items) = @items = items
  def each(&block) = @items.each(&block)
  def each_twice(&block) = each { |x| [x, x].each(&block) }
  def each_or_nil(&block) = block ? each(&block) : nil
  def each_replaced(&block)
    block = proc { |x| yield(-x) } if @items.size == 2
    @items.each(&block)
  end
  def given(&block) = asks(&block)
  def asks = block_given?
  def with_default(a = 1, &block) = each { |x| yield_with(x, a, &block) }
  def yield_with(x, a, b = 2) = yield(x, a, b)
end

def passing(one)
  sum = 0
  one.each { |x| sum += x }
  one.each_twice { |x| sum += 10 * x }
  one.each_or_nil { |x| sum += 100 * x }
  one.each_replaced { |x| sum += 1000 * x }
  one.with_default { |x, a, b| sum += x * a * b }
  one.with_default(3) { |x, a, b| sum += x * a * b }
  sum += one.map { |x| x * 2 }.sum + one.select { |x| x > 1 }.sum + (one.find { |x| x > 1 } || 0)
  [sum, one.given { nil }, one.given, one.each_or_nil, one.each.class]
end
p 60.times.map { passing(Passing.new(1, 2, 3)) }.uniq
p 60.times.map { passing(Passing.new(1, 2)) }.uniq

def leaving(one)
  one.each_twice { |x| return x if x > 1 }
end

def breaking(one) = one.each_twice { |x| break [x] if x > 1 }

def nexting(one)
  seen = []
  one.each_twice { |x| next if x == 1; seen << x }
  seen
end
p 60.times.map { leaving(Passing.new(1, 2, 3)) }.uniq
p 60.times.map { breaking(Passing.new(1, 2, 3)) }.uniq
p 60.times.map { nexting(Passing.new(1, 2, 3)) }.uniq
p(60.times.map { Passing.new(1, 2, 3).each_twice(&:to_s).class }.uniq)

def failing(one)
  one.each_twice { |x| raise "at #{x}" if x == 3 }
rescue => e
  [e.message, e.backtrace.map { |line| line[/in '?(.*)'?\z/, 1] }.first(6)]
end
p 60.times.map { failing(Passing.new(1, 2, 3)) }.uniq
