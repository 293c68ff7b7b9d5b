# A tour of Ruby 4.0, and of what Carat does with memory while it runs.
#
#   cargo run --release -- examples/tour.rb

def chapter(title)
  puts "", title, "-" * title.size
  yield
end

puts "#{RUBY_ENGINE} speaks Ruby #{RUBY_VERSION}"

chapter "Values that describe themselves" do
  Stone = Data.define(:name, :carats, :clarity) do
    def value = (carats**1.5 * { if: 9_000, vvs: 6_000, vs: 3_500 }.fetch(clarity)).round
    def to_s = format("%-12s %5.2f ct  %-3s %9d", name, carats, clarity, value)
  end

  STONES = [
    Stone.new("Ekanite", 1.2, :vs), Stone.new("Benitoite", 0.8, :vvs), Stone.new("Painite", 2.1, :if),
    Stone.new(name: "Jeremejevite", carats: 0.5, clarity: :vvs),
  ]
  puts STONES.sort_by { -it.value }
  puts "grown: #{STONES.first.with(carats: 3)}"
end

chapter "Pattern matching" do
  def appraise(item)
    case item
    in Stone[name:, carats: 2..] then "#{name} goes to the vault"
    in Stone[clarity: :vvs | :if => grade, name:] then "#{name} (#{grade}) goes to the window"
    in { set: [Stone => first, *rest], metal: } then "#{first.name} and #{rest.size} more, set in #{metal}"
    in String => note unless note.empty? then "a note: #{note}"
    in [] | nil then "nothing"
    else "a stone like any other"
    end
  end
  [*STONES, { set: STONES.first(3), metal: :gold }, "fragile", nil].each { puts appraise(it) }
end

chapter "Blocks, laziness and fibers" do
  primes = Enumerator.produce([2]) do |known|
    candidate = known.last + 1
    candidate += 1 until known.none? { (candidate % it).zero? }
    known + [candidate]
  end
  puts primes.lazy.map(&:last).select { it % 4 == 1 }.first(8).join(" ")

  ping = Fiber.new { |word| 3.times { word = Fiber.yield("#{word}!") }; "out of breath" }
  puts 4.times.map { |turn| ping.resume("ping #{turn}") }.join(", ")

  counts = Hash.new { |hash, size| hash[size] = 0 }
  %w[ruby sapphire opal jade topaz amber].each { counts[it.size] += 1 }
  puts counts.sort.map { |size, count| "#{count} of #{size} letters" }.join(", ")
end

chapter "Bending the language, in one place only" do
  module Weights
    refine Numeric do
      def carats = self * 0.2
    end
  end
  using Weights
  puts "five carats weigh #{5.carats} g"

  class Ledger < BasicObject
    def initialize = @lines = []
    def method_missing(verb, *what, **terms) = (@lines << [verb, *what, *terms.map { |key, term| "#{key} #{term}" }].join(" "); self)
    def respond_to_missing?(...) = true
    def to_s = @lines.join("; ")
  end
  puts "#{Ledger.new.buy("opal", from: "Coober Pedy").cut("cabochon").sell(at: 900)}"
end

chapter "When things go wrong" do
  def open_vault(code)
    Integer(code)
  rescue ArgumentError
    raise SecurityError, "the vault stays shut"
  ensure
    print "(alarm reset) "
  end
  begin
    open_vault("sesame")
  rescue SecurityError => error
    puts "#{error.message}, because #{error.cause.message}"
  end
  puts (catch(:found) { STONES.each { |stone| throw :found, stone.name if stone.carats < 1 } })
end

chapter "Two Ractors at once" do
  work = ->(limit) { (1..limit).count { |n| n.digits.sum == 9 } }
  Warning[:experimental] = false
  begin
    ractors = [20_000, 30_000].map { |limit| Ractor.new(limit) { |n| (1..n).count { it.digits.sum == 9 } } }
    puts "in parallel #{ractors.sum(&:value)}, one after the other #{work.(20_000) + work.(30_000)}"
  rescue NotImplementedError, ThreadError => error
    puts "not here: #{error.message}"
  end
end

# Here the program asks about itself. CRuby answers the same questions with other figures.

chapter "What a line allocates" do
  allocated = lambda do |&line|
    before = GC.stat(:total_allocated_objects)
    line.call
    GC.stat(:total_allocated_objects) - before
  end
  weight = 12
  base = allocated.call {}
  puts "interpolating a number makes #{allocated.call { "#{weight} carats" } - base} object(s)"
  puts "a symbol to_proc over an array makes #{allocated.call { [1, 2].map(&:succ) } - base}"
end
