# Several Ractors read strings whose addresses C code takes.

require "./ractors"

Warning[:experimental] = false
class Ractor
  alias value take unless method_defined?(:value)
end

# Strings that fill what they lie in, or end in the middle of what others show.
long = ("abcdefgh" * 400).freeze
strings = [6, 14, 22, 30, 38, 54, 70, 86, 118, 150, 246, 1000, 2000].flat_map do |length|
  [("x" * length).freeze, long[0, length].freeze, long[-length, length].freeze, long[7, length].freeze, +"#{long[0, length]}"]
end
strings.map!(&:freeze)
texts = strings.map(&:dup)
array = Ractor.make_shareable((1..1000).to_a)
slice = Ractor.make_shareable(array[10, 500])
STRINGS = Ractor.make_shareable(strings)

readers = 2.times.map do
  Ractor.new(STRINGS, array, slice) do |read, numbers, some|
    5.times.all? do
      read.all? { |s| s.bytesize == s.each_byte.count { |byte| byte > 0 } && s.hash == s.dup.hash } &&
        numbers.sum == 500500 && some.first == 11 && some.last == 510
    end
  end
end
takers = 2.times.map do
  Ractor.new(STRINGS, slice) do |read, some|
    5.times.all? do
      read.all? { |s| Ractors.ends_with_nul?(s) && Ractors.bytes_in_c(s) == s } && Ractors.sum_of_elements(some) == 130250
    end
  end
end
p takers.map(&:value), readers.map(&:value)
p strings == texts, strings.all? { |s| Ractors.ends_with_nul?(s) }

# A string whose address C code has, continued by sums.
sum = +""
40.times { |i| sum = sum + "#{i % 10}" * 100 }
p Ractors.ends_with_nul?(sum)
longer = sum + "!"
p Ractors.bytes_in_c(sum).bytesize, longer.bytesize

# What each Ractor keeps.
p Ractors.keep(:main), Ractors.keep("second")
other = Ractor.new do
  first = Ractors.kept
  Ractors.keep(1.5)
  GC.start
  3.times { Ractors.count }
  [first, Ractors.kept, Ractors.count]
end
p other.value
2.times { Ractors.count }
GC.start
p Ractors.kept, Ractors.count

# What may be shared.
shared, open, own = Ractors::Box.shared("text"), Ractors::Box.shared([+"text"]), Ractors::Box.private(1).freeze
p [shared, open, own].map { |box| Ractor.shareable?(box) }
p Ractor.shareable?(shared.freeze), Ractor.shareable?(Ractor.make_shareable(open)), open.value.first.frozen?
p Ractor.new(open) { |box| box.value }.value
begin
  Ractor.make_shareable(own)
rescue => error
  p error.class, error.message.sub(/0x\h+/, "0x")
end

# Objects of a Ractor that has ended, which C code writes to without barriers, while the next one goes on in their heap, and after it.
made = Ractor.new { [Ractors::Box.private(nil), Array.new(100, &:itself).tap { |list| Ractors.put_first(list, 1) }] }.value
write = proc do |round|
  3.times { GC.start(full_mark: false) }
  made[0].value = "box #{round}" * 200
  Ractors.put_first(made[1], "list #{round}" * 200)
  3.times { GC.start(full_mark: false) }
  Array.new(500) { |i| "other #{i}" * 100 }
  [made[0].value, made[1].first].map { |text| text[0, 6] }
end
successor = Ractor.new { Ractor.receive }
p write.(1), write.(2)
successor.send(nil)
successor.value
GC.start
p write.(3), write.(4)
