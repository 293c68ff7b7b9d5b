# To a lambda that find is given, a pair of a hash is what it is to a block.
three = ->(a, b, c) { p [a, b, c] }
two = ->(a, b) { p [a, b] }
one = ->(a) { p a }
none = -> { true }
rest = ->(a, *b) { p [a, b] }
optional = ->(a, b = 1) { p [a, b] }
keyword = ->(a, b, k: 1) { p [a, b, k] }
[three, two, one, none, rest, optional, keyword].each do |block|
  p({a: [1, 2]}.find(&block))
  p({a: [1, 2]}.each_entry.detect(&block)) rescue p $!.class
  p({a: [1, 2]}.each_pair.find(&block))
  p([[1, 2]].find(&block)) rescue p $!.class
end
p({a: 1, b: 2}.find(-> { :none }, &->(key, value, more) { value == 3 }))
p({a: 1, b: 2}.find { |key, value, more| value == 2 && more.nil? })
