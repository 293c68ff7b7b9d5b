# Enumerators keep a place, so that nothing makes them shareable between Ractors.
$VERBOSE = nil
enumerators = [
  [1].each, [1].each_entry, [1, 2].each_slice(2).lazy, [1].each + [2], 1.step(10, 2), (1..10) % 2,
  Enumerator::Product.new([1]), Enumerator.new { |y| y << 1 }, Enumerator.produce(1) { _1 }, Enumerator::Yielder.new {}, [1, [[2].each]]
]
enumerators.each do |value|
  Ractor.make_shareable(value)
rescue Ractor::Error => error
  puts error.message.gsub(/0x\h+/, "0x")
end
p Ractor.shareable?([1].each.freeze), Ractor.shareable?(1.step(3).freeze)
p Ractor.make_shareable([[1], { a: "b" }]).frozen?
