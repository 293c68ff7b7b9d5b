# What `product` takes for arrays, in which order it asks, and what it refuses.
class Pair
  def initialize(*items) = @items = items
  def to_ary
    puts "asked #{@items.inspect}"
    @items
  end
end

p [1, 2].product, [1, 2].product([3, 4], [5]), [1].product([]), [].product([1], [2]), [].product([])
p [1, 2].product(Pair.new(3), Pair.new(4, 5))
p [1].product(Pair.new(2), Pair.new(3)) { |choice| p choice }
begin
  [1].product(Pair.new(2), 3, Pair.new(4))
rescue TypeError => error
  p error.message
end
begin
  [].product(Pair.new(2), nil)
rescue TypeError => error
  p error.message
end
many = [0] * 0x1000
begin
  many.product(many, many, many, many, many)
rescue RangeError => error
  p error.message
end
p many.product([], many, many, many, many, many), [1, 2].product([3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18]).size
class Collection
  include Enumerable
  def each(*args, **options)
    yield args, options
    yield 1
    yield
    yield 2, 3
  end
end
p Collection.new.to_a, Collection.new.to_a(4), Collection.new.to_a(a: 5), Collection.new.entries(6, b: 7)
p [1, 2, 3].combination(2).to_a, [3, 1].each_entry.to_a, [1, 2, 3].each_cons(2).to_a, [1, 2].each.with_index(1).to_a
