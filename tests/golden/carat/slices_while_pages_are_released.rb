# gc_stress: collections that are forced end what is to be seen in progress.
# A full collection in steps releases the pages of dead objects a few at a time while the program runs. Minor collections in
# between find slices that die with the next one; other holders keep the slices' buffers.

# What it allocates lives for some time, so that full collections become due, and has large slots and buffers, so that many pages
# wait.
def run_until_pages_wait(ballast)
  20.times do
    6_000.times do |i|
      ballast[i] = ("x" * 500) << ("y" * 600)
      return true if i % 16 == 0 && GC.latest_gc_info(:state) == :sweeping && ballast.size == 6_000
    end
  end
  false
end

# Deep in calls, so that no word of the slices is left on the stack.
def deeper(turns, &) = turns.zero? ? yield : deeper(turns - 1, &)

ballast = []
waited = between = changed = 0
3.times do |round|
  owners = Array.new(50) { |i| +"owner #{i} of round #{round} " * 400 }
  copies = owners.map { |owner| owner.bytes }
  waited += 1 if run_until_pages_wait(ballast)
  # Little survives this one, so the next makes nothing old.
  GC.start(full_mark: false)
  slices = []
  deeper(40) { owners.each { |owner| slices << owner.byteslice(100, 1000) } }
  GC.start(full_mark: false)
  slices.each { it.bytesize }
  slices.clear
  GC.start(full_mark: false)
  between += 1 if GC.latest_gc_info(:state) == :sweeping
  # The collection ends, and buffers that were given up by mistake are used again.
  1000.times { ballast[0] = "#{it}" * 60 } while GC.latest_gc_info(:state) == :sweeping
  others = Array.new(50) { |i| "#" * owners[i].bytesize }
  changed += owners.zip(copies).count { |owner, copy| owner.bytes != copy } + others.count { |other| other.count("#") != other.bytesize }
end
puts "pages waited: #{waited.positive?}, still after two collections: #{between.positive?}, changed: #{changed}"
