# Single calls of core methods: `calls.rb` prints the rows' names, `calls.rb ROW…` each of these with its nanoseconds a call.
# A row stands eight times in a method that a loop calls, so that what is measured is the call; its answer goes into a variable, so that it is wanted.
# The figure is the least of some batches.
require "set"
require "stringio"
require "strscan"

Point = Struct.new(:x, :y)
class Account
  include Comparable
  attr_reader :amount

  def initialize(amount)
    @amount = amount
  end

  def <=>(other) = amount <=> other.amount
end

# What rows name.
GIVEN = {
  i: 4711, j: -36, big: 3**50, f: 2.75, g: -0.5, q: 5r / 7, t: Time.at(1_650_000_000).utc,
  s: "The quick brown fox", w: "a_longer_word", e: "", u: "naïve café", y: :symbol, v: "1234",
  a: [8, 3, 5, 1, 9, 2], b: [1, 2, 3], n: [], l: %w[plum lemon cherry], m: [[1, 2], [3, 4]],
  h: { one: 1, two: 2, three: 3 }, k: { "id" => 7, "name" => "x" }, z: {}, d: (1..200).to_h { |x| [x, x] },
  r: (3..60), o: Object.new, p: Point.new(1, 2), c: Account.new(5), x: Account.new(6), set: Set[1, 2, 3], nothing: nil,
}.freeze

ROWS = <<~'TEXT'.lines.map(&:chomp)
  s.nil?
  nothing.nil?
  o.nil?
  !s
  s == w
  s == s.itself
  s != w
  s.equal?(w)
  s.eql?(w)
  s <=> w
  s.hash
  o.hash
  o == c
  a == b
  h == z
  i == 5
  f == g
  q == q
  c < x
  c == x
  c.between?(c, x)
  c.clamp(c, x)
  s.is_a?(String)
  i.is_a?(Comparable)
  s.instance_of?(String)
  s.respond_to?(:each)
  s.class
  s.frozen?
  y.to_proc
  String === s
  Integer === s
  Comparable === i
  (1..9) === i
  case s when Integer then 1 when String then 2 end
  case y when :other then 1 when :symbol then 2 end
  case i when 0..10 then 1 when 11.. then 2 end
  case w when "x" then 1 when "a_longer_word" then 2 end
  s.send(:length)
  s.public_send(:upcase)
  s.then { |x| x }
  s.tap { |x| x }
  c.dup
  p.dup
  s.dup
  a.dup
  h.dup
  s.itself
  s.to_s
  i.to_s
  f.to_s
  y.to_s
  nothing.to_s
  nothing.to_a
  nothing.inspect
  s.to_sym
  v.to_i
  v.to_f
  i.to_f
  f.to_i
  a.to_a
  h.to_a
  h.to_h
  r.to_a
  s.inspect
  a.inspect
  h.inspect
  y.inspect
  p.inspect
  Integer(v)
  Float(v)
  String(i)
  Array(nothing)
  "#{s}"
  "#{i}: #{w}"
  "#{f}"
  s + w
  s * 3
  e.dup << s << w
  format("%d of %s", i, w)
  format("%.2f", f)
  s.length
  u.length
  s.bytesize
  s.empty?
  e.empty?
  s[0]
  s[4, 5]
  s[-3..]
  u[2]
  s[/q\w+/]
  s.start_with?("The")
  s.end_with?("fox")
  s.include?("brown")
  s.index("quick")
  s.upcase
  s.capitalize
  s.reverse
  s.strip
  s.chomp
  s.sub("quick", "slow")
  s.gsub("o", "0")
  s.gsub(/[aeiou]/, "*")
  s.tr("a-y", "b-z")
  s.delete("aeiou")
  s.count("o")
  s.split
  s.split("o")
  s.lines
  s.chars
  s.bytes
  s.unpack("C*")
  s.match?(/fox/)
  s =~ /fox/
  s.scan(/\w+/)
  s.ljust(30)
  s.center(30)
  s.ascii_only?
  s.encoding
  s.force_encoding("UTF-8")
  +s
  i + 1
  i * i
  i / 7
  i % 7
  i ** 2
  -i
  ~i
  i[3]
  i & 255
  i << 4
  i.even?
  i.odd?
  i.zero?
  i.positive?
  i.succ
  i.pred
  j.abs
  i.divmod(7)
  i.fdiv(7)
  i.digits
  i.bit_length
  i.floor(-2)
  i.clamp(1, 100)
  i <=> j
  big + 1
  big * big
  big == big
  big.to_s
  f + g
  f * g
  f < g
  f.round
  f.round(1)
  f.floor
  f.nan?
  f.zero?
  q + q
  q <=> q
  Math.sqrt(f)
  rand(10)
  a.first
  a.last
  a.first(2)
  n.first
  a[2]
  a[1, 3]
  a[1..]
  a.size
  a.empty?
  n.empty?
  a.include?(9)
  a.index(9)
  a.max
  a.min
  a.sum
  a.sort
  a.reverse
  a.uniq
  a.compact
  a.rotate
  a.take(3)
  a.sample
  a.join(",")
  l.join(", ")
  a.count
  a.any?
  a.hash
  a.freeze
  a + b
  a - b
  a & b
  a | b
  a * 2
  a <=> b
  [*a, 1]
  [i, j].max
  m.flatten
  m.transpose
  m.to_h
  m.dig(1, 0)
  a.values_at(0, 2)
  a.dup.push(1)
  a.dup.pop
  a.dup.shift
  a.each_slice(2).to_a
  Array.new(4)
  Array.new(4, 0)
  h[:two]
  h[:none]
  k["name"]
  h.fetch(:two)
  h.fetch(:none, 1)
  h.dig(:two)
  h.key?(:two)
  h.include?(:none)
  h.value?(3)
  h.key(3)
  h.size
  d.size
  h.empty?
  z.empty?
  h.any?
  h.keys
  h.values
  h.first
  h.min_by { |_, v| v }
  h.slice(:one)
  h.except(:one)
  h.merge(k)
  { **h, four: 4 }
  h.dup.delete(:two)
  h.to_a.flatten
  h.invert
  h.hash
  Hash.new
  set.include?(2)
  set.size
  set.empty?
  set == set
  set | b
  set.dup << 4
  Set.new
  r.include?(20)
  r.cover?(99)
  r.first
  r.size
  r.sum
  r.min
  p.x
  p[0]
  p[:y]
  p.to_a
  p == p
  p.hash
  Point.new(1, 2)
  Account.new(3)
  Object.new
  c.instance_variable_get(:@amount)
  c.instance_variable_set(:@amount, 5)
  c.instance_variable_defined?(:@amount)
  c.method(:amount)
  Account.name
  Account.instance_methods(false)
  Account.method_defined?(:amount)
  Object.const_get(:Account)
  block_given?
  __method__
  defined?(nowhere)
  catch(:done) { throw :done }
  raise("x") rescue 0
  loop { break }
  Time.now
  Time.at(i)
  t.year
  t.hour
  t.wday
  t.to_i
  t + 60
  t - t
  t < t
  t.strftime("%Y-%m-%d")
  t.iso8601
  StringIO.new(s).read
  StringScanner.new(s).scan(/\w+/)
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
  a.each { |x| x }
  a.map { |x| x }
  a.select { |x| x }
  a.reject { |x| x }
  a.find { |x| x == 9 }
  a.all? { |x| x }
  a.any? { |x| x == 9 }
  a.inject { |x, y| x }
  a.inject(:+)
  a.sum { |x| x }
  a.each_with_index { |x, i| i }
  a.each_with_object([]) { |x, list| list }
  a.each_slice(2) { |x| x }
  a.each_cons(2) { |x| x }
  a.zip(a) { |x| x }
  a.zip(a)
  a.sort_by { |x| x }
  a.min_by { |x| x }
  a.max(2)
  a.group_by { |x| x }
  a.partition { |x| x }
  a.flat_map { |x| x }
  a.tally
  a.to_h { |x| [x, x] }
  a.each.with_index(1) { |x, i| i }
  a.map(&:succ)
  l.map(&:upcase)
  h.each { |k, v| v }
  h.map { |k, v| v }
  h.select { |k, v| v }
  h.transform_values { |v| v }
  h.sum { |k, v| v }
  h.to_h { |k, v| [k, v] }
  h.sort_by { |k, v| v }
  h.each_with_index { |(k, v), i| i }
  h.dup.merge!(h) { |k, v, w| w }
  h.group_by { |k, v| v }
  6.times { |x| x }
  1.upto(6) { |x| x }
  1.step(6, 2) { |x| x }
  1.0.step(3.0, 0.5) { |x| x }
  s.each_char { |x| x }
  s.gsub(/o/) { |x| x }
TEXT

BATCHES = 6
BATCH_SECONDS = 0.003
WARM_SECONDS = 0.12

def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

# Runs the row in batches of as many turns as take so long, first until it is compiled.
def nanoseconds_of(row)
  names = GIVEN.keys.select { |name| row.match?(/(?<![\w:.@"%])#{name}(?![\w:?!])/) }
  parameters = ["count", *names].join(", ")
  arguments = names.join(", ")
  eval(<<~RUBY, TOPLEVEL_BINDING)
    def row(#{arguments})
    #{"  @given = (#{row})\n" * 8}end

    def turns(#{parameters})
      at = 0
      while at < count
        row(#{arguments})
        at += 1
      end
    end
  RUBY
  given = names.map { |name| GIVEN[name] }
  run = ->(count) { start = now; turns(count, *given); now - start }
  count = 1
  start = now
  while now - start < WARM_SECONDS
    count *= 2 if run.(count) < BATCH_SECONDS
  end
  Array.new(BATCHES) { run.(count) }.min * 1e9 / count / 8
end

$VERBOSE = nil
if ARGV.empty?
  puts ROWS
else
  ARGV.each { |number| puts "#{nanoseconds_of(ROWS.fetch(Integer(number))).round(2)} #{ROWS[Integer(number)]}" }
end
