# Recording of allocations starts and stops again and again while Ractors and threads make objects.
# flags: -W0
require "objspace"

ractors = 4.times.map do |n|
  Ractor.new(n) do |n|
    kept = nil
    (0...6000).sum do |i|
      kept = [i.to_s, "#{n} of #{i}", { i => [n] }]
      kept.map { |part| part.to_s * 2 }.size
    end
  end
end
threads = 2.times.map { Thread.new { (0...3000).sum { |i| [i, i.to_s].map(&:to_s).size } } }
recorded = 30.times.map do
  ObjectSpace.trace_object_allocations do
    text = "x" * 3
    Thread.pass
    ObjectSpace.allocation_sourceline(text)
  end
end
p recorded.uniq == [__LINE__ - 5]
p ractors.map(&:value), threads.map(&:value)
