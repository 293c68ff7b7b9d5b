# Collections that fell due while they were turned off take place once they are allowed again, however short that time is.
# gc_stress: then collections take place while they are turned off, too, and are counted.
rounds = Array.new(60) do
  GC.disable
  20_000.times { "abc" + "d" }
  GC.enable
  30.times { [1, 2, 3].map { |x| x + 1 } }
  GC.stat(:heap_live_slots)
end
p rounds.max < 800_000

counts = Array.new(20) do
  GC.disable
  20_000.times { "abc" + "d" }
  before = GC.count
  20_000.times { "abc" + "d" }
  unchanged = GC.count == before
  GC.enable
  10.times { "abc" + "d" }
  unchanged
end
p counts.all?, GC.enable, GC.disable, GC.disable, GC.enable, GC.enable
