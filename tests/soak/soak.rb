# A program that runs for a long time and keeps a bounded amount of everything: its resident memory has to stay flat.
#
#   carat tests/soak/soak.rb [SECONDS]      600 unless given; exits with 1 if memory grew
#
# Each turn replaces part of what is kept, with objects of every kind that owns something outside its slot. The resident
# size is sampled forty times. The first quarter is for warming up; what the last quarter needs at most may exceed what the
# second needed by a tenth.

SECONDS = Float(ARGV[0] || 600)
SAMPLES = 40
KEPT = 20_000

Row = Struct.new(:id, :name, :tags)
Entry = Data.define(:key, :value)

class Tagged < String
  attr_accessor :tag
end

class Node
  attr_reader :next

  def initialize(link) = @next = link
end

def resident_kb = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

def tagged(number)
  string = Tagged.new("tagged #{number}")
  string.tag = [number]
  string
end

KINDS = [
  ->(n) { Row.new(n, "row #{n}", [n, n.to_s]) },
  ->(n) { Entry.new(key: n, value: "v" * (n % 300)) },
  ->(n) { (0..n % 12).to_h { |i| [i, "#{n}:#{i}"] } },
  ->(n) { Set.new((0..n % 30).to_a) },
  ->(n) { Array.new(n % 200) { |i| i * 1.5 } },
  ->(n) { ("long text %d " % n) * (n % 100) },
  ->(n) { "é#{n}ü" * 40 },
  ->(n) { tagged(n) },
  ->(n) { proc { n } },
  ->(n) { 10**(n % 200) },
  ->(n) { Rational(n, n + 1) },
  ->(n) { (n % 50).times.inject(nil) { |link, _| Node.new(link) } },
  ->(n) { "slice of a text that is long enough to be shared, #{n} times over".byteslice(5, 50) },
  ->(n) { "a#{n}b".match(/(\d+)/) },
  ->(n) { Fiber.new { n } },
  ->(n) { Enumerator.new { |y| y << n } },
  ->(n) { begin; raise "error #{n}"; rescue => e; e; end },
  ->(n) { Class.new { define_method(:number) { n } } if (n % 500).zero? },
  ->(n) { ObjectSpace::WeakMap.new.tap { |map| map[Object.new] = n.to_s } },
  ->(n) { o = Object.new; o.instance_variable_set(:"@v#{n % 20}", n); o }
].freeze

kept = Array.new(KEPT)
samples = []
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
turn = 0
until samples.size == SAMPLES
  1000.times do
    kept[(turn * 7919) % KEPT] = KINDS[turn % KINDS.size].call(turn % 100_003)
    turn += 1
  end
  Thread.new { kept.sample.to_s }.join if (turn % 50_000).zero?
  elapsed = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
  samples << resident_kb while samples.size < SAMPLES && elapsed >= SECONDS * (samples.size + 1) / SAMPLES
end

quarters = samples.each_slice(SAMPLES / 4).map(&:max)
puts "#{turn} turns, #{GC.count} collections, most resident memory in each quarter: #{quarters.join(", ")} KB"
abort "memory grew" if quarters.last > quarters[1] * 1.1
