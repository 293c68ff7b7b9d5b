# C code that the VM calls by itself.

require "./events"

holders = Array.new(50) { |i| Events::Holder.new.set({"key#{i}" => ["value#{i}"]}, ["a#{i}", "b#{i}"], "x#{i}" * 20) }
100.times { Events::Holder.new.set({"k" => "v"}, ["e"], "y") }
3.times do
  GC.start
  Array.new(1000) { |i| "garbage #{i}" * 3 }
end
p holders.each_with_index.all? { |h, i| h.get == [{"key#{i}" => ["value#{i}"]}, ["a#{i}", "b#{i}"], "x#{i}" * 20, "x#{i}" * 40] }
p Events.any_freed?

def double(number) = number * 2
p Events.traced { double(21) }
p(Events.hooked("data") { double(1) })
begin
  Events.raising { raise "first" }
rescue => error
  p error
end
p Events.traced { double(4) }.size

class Made; end
count, line, *rest = Events.count_objects(Made) { 1000.times { Made.new } }
p count, line == __LINE__ - 1, rest
GC.start
freed, is_enabled = Events.end_count
p freed > 900, is_enabled
Made.new
p Events.end_count == [freed, false]
p Events.count_pauses { GC.start }
