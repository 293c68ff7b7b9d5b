# What a slice costs by its length, from a string whose contents are in a buffer: up to the threshold it is a copy in its
# slot, beyond it a view. The threshold (`COPY_SLICE_MAX` in `vm::string`) belongs where the two curves meet.
SOURCE = "x" * 100_000
ROUNDS = 200_000

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def nanoseconds(length)
  Array.new(3) do
    started = now
    i = 0
    while i < ROUNDS
      SOURCE[i & 1023, length]
      i += 1
    end
    (now - started) * 1e9 / ROUNDS
  end.min
end

sum = 0
[8, 22, 38, 54, 70, 86, 102, 118, 119, 150, 246, 502, 1014, 4000, 50_000].each do |length|
  taken = nanoseconds(length)
  sum += SOURCE[3, length].bytesize
  warn format("%6d bytes %6.1f ns", length, taken) if ENV["SHOW"]
end
puts sum
