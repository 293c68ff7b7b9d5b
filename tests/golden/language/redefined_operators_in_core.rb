# What a program makes of the operators of core classes changes nothing that the core library counts or looks up with. (In CRuby
# `Integer#<` and `succ` change `times`, `>=` steps and `Array#size` slices.)

def redefining(owner, name, body)
  owner.class_eval do
    alias_method :__original, name
    define_method(name, &body)
  end
  yield
ensure
  owner.class_eval { alias_method name, :__original }
end

def counted(results)
  [1, 2, 3, 4, 5, 6].each { results << _1 }
  [1, 2, 3, 4].map { results << _1 }
  3.times { results << _1 }
  1.upto(4) { results << _1 }
  9.downto(7) { results << _1 }
  (1..4).each { results << _1 }
  {a: 1, b: 2, c: 3}.each { |_, value| results << value }
  [5, 6, 7, 8].each_with_index { |_, index| results << index }
  [3, 1, 2, 4, 7, 6].sort_by { results << _1 && _1 }
  [1, 2].product([3, 4]) { |pair| results << pair }
  results
end

def collected
  [
    [1, 2, 3].sum, (1..4).sum, (1..4).to_a.size, [1, 2, 3, 4].each_slice(2).to_a, (1..10).step(3).to_a, [1, 2, 3].each_cons(2).to_a,
    "abc".each_char.with_index.to_a, [1, 2, 3].cycle(2).to_a, [1, 2, 3].last(2), "abcdef"[1..-2], [1, 2, 3, 4].rotate(1),
    [1, 2, 3].reverse_each.to_a, "a-b-c".split("-", 2), [3, 1, 2].minmax, {a: 1}.any? { |_, value| value }, [[1, 2], [3, 4]].to_h.to_a,
    [1, 2, 3].combination(2).to_a, [1, 2, 3].zip([4, 5, 6]), [1, [2, [3]]].flatten, [1, 2, 3].partition(&:odd?),
    [4, 5].each_with_object([]) { |value, all| all.push(value) }, (1..6).each_slice(4).map(&:inspect), [1, 1, 2].chunk_while { _1 == _2 }.to_a
  ]
end

expected = counted([]).inspect, collected.inspect
puts expected
{
  Integer => {
    :+ => ->(other) { __original(other).__original(1) }, :- => ->(_) { 7 }, :<= => ->(_) { true },
    :> => ->(_) { false }, :* => ->(_) { 0 }, :/ => ->(_) { 1 }, :% => ->(_) { 0 }
  },
  Array => {:length => -> { 0 }, :empty? => -> { true }},
  Hash => {:size => -> { 0 }, :empty? => -> { true }}
}.each do |owner, names|
  names.each do |name, body|
    found = nil
    redefining(owner, name, body) { found = counted([]), collected }
    found = found.map(&:inspect)
    puts "#{owner}##{name}: #{found == expected ? "the same" : found}"
  end
end

# Where a program asks for the operator it gets its own.
redefining(Integer, :+, ->(other) { __original(other).__original(1) }) do
  p 1 + 2, [1, 2, 3].inject(:+), [1, 2, 3].inject { |a, b| a + b }, [1, 2].reduce(10, :+), 1.public_send(:+, 2)
end
redefining(Array, :[], ->(*) { 7 }) { p [1, 2][0], [[3]].map { |row| row[0] }, [1, 2, 3].first(2) }
redefining(String, :+, ->(other) { "own" }) { p "a" + "b", ["a", "b"].sum("") }
