# Documents that chance made of others: their events with all places, and their mistakes.
require "psych"

class Events < Psych::Handler
  attr_reader :lines

  def initialize = @lines = []
  def event_location(*place) = @place = place

  EVENTS.each { |name| define_method(name) { |*facts| @lines << [name, *facts, *@place].inspect } unless name == :empty }
end

SEEDS = [
  "a: b\nc:\n  - d\n  - e: f\n    g: h\n- i\n",
  "--- |\n  a\n\n   b\n c\n...\n--- >-\n a\n b\n\n  c\n d\n",
  "{a: b, c: [d, e: f, ? g : h], 'i': \"j\\n\\x41\\u263A\"}\n",
  "%YAML 1.1\n%TAG !e! tag:e.com,2000:\n--- !e!foo\n- &a b\n- *a\n- !!str c\n- !<x> d\n- ! e\n",
  "? a\n: b\n? [c]\n: - d\n",
  "a: 'it''s'\nb: \"x \\\n  y\"\nc: \"q\n\n  r\"\nd: plain\n  more\n\n  text # c\ne: |+2\n   x\n\nf: 1\n",
  "- - a\n  - b\n-\n  - c\n- ? d\n- : e\n",
  "key:\n- a\n- b\nother: &x\n  <<: *y\n"
]
PIECES = ["- ", "? ", ": ", ":", ",", "[", "]", "{", "}", "&a", "*a", "!t ", "!!str ", "!<x>", "\"", "'", "\\", "\n", "\n  ", "\n- ", "---", "...",
          "%TAG ! x\n", "%YAML 1.1\n", "#", "  # c\n", "\t", ">", ">-", "|", "|1", "+", "9", "\u0085", "\u2028", "é", "\u{feff}", "\r", "\r\n",
          "\\x41", "\\u00", "<<: ", "~", "%41", "\\\n", "''", "--- ", "... ", "!e!", "\x01", "&", "*", "!", "@", "`", "\u{1F600}"]

# Numbers that are the same everywhere.
class Chance
  def initialize(seed) = @state = seed

  def below(limit)
    @state = (@state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) & 0xffff_ffff_ffff_ffff
    (@state >> 33) % limit
  end
end

chance = Chance.new(2026)
sum = 0
mistakes = Hash.new(0)
1500.times do |number|
  text = chance.below(4) == 0 ? +"" : SEEDS[chance.below(SEEDS.size)].dup
  chance.below(9).times do
    at = chance.below(text.size + 1)
    case chance.below(4)
    when 0 then text.slice!(at)
    when 1 then text.slice!(at, 1 + chance.below(12))
    else text.insert(at, PIECES[chance.below(PIECES.size)])
    end
  end
  # What Ruby does with a byte order mark in front differs between versions of psych.
  text.delete_prefix!("\u{feff}") while text.start_with?("\u{feff}")
  events = Events.new
  begin
    Psych::Parser.new(events).parse(text)
  rescue Psych::SyntaxError => e
    mistakes[[e.problem, e.context]] += 1
    events.lines << [e.line, e.column, e.offset, e.problem, e.context].inspect
  end
  events.lines.join("\n").each_byte { |byte| sum = (sum * 31 + byte) & 0xffff_ffff }
  puts text.inspect, events.lines.last, sum if number % 25 == 0
end
mistakes.sort_by(&:inspect).each { |(problem, context), count| puts "#{count} #{problem} #{context}" }
