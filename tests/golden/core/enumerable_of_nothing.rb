# What an `each` that yields nothing, one value, several or an array gives to the blocks of Enumerable.
class E
  include Enumerable
  def initialize(&b) = @b = b
  def each(&b) = @b.call(b)
  def inspect = "E"
end

SOURCES = {
  none: E.new { |b| b.call },
  one: E.new { |b| b.call(1) },
  two: E.new { |b| b.call(1, 2) },
  array: E.new { |b| b.call([1, 2]) },
  mixed: E.new { |b| b.call; b.call(1); b.call(1, 2); b.call([3, 4]) }
}
BLOCKS = {
  rest: ->(seen) { proc { |*a| seen << a; a.size } },
  first: ->(seen) { proc { |a, | seen << a; nil } },
  pair: ->(seen) { proc { |a, b| seen << [a, b]; 1 } },
  rest_keywords: ->(seen) { proc { |*a, **k| seen << [a, k]; false } },
  lambda: ->(seen) { lambda { |a| seen << a; 1 } },
  lambda_pair: ->(seen) { lambda { |a, b| seen << [a, b]; [1, 2] } },
  lambda_rest: ->(seen) { lambda { |*a| seen << a; 1 } },
  symbol: ->(_) { :itself.to_proc }
}
METHODS = {
  select: [], find: [], reject: [], partition: [], group_by: [], filter_map: [], find_index: [], min_by: [], max_by: [], minmax_by: [],
  sort_by: [], cycle: [2], take_while: [], drop_while: [], each_entry: [], grep: [nil..], grep_v: [String], map: [], flat_map: [], uniq: [],
  zip: [], to_h: [], sum: [], count: [], each_with_index: [], all?: [], tally: [], inject: [0], each_with_object: [[]], chunk_while: []
}

def show
  result = yield
  (Enumerator === result ? result.to_a : result).inspect
rescue StandardError
  "#{$!.class}: #{$!.message}"
end

METHODS.each do |name, args|
  SOURCES.each do |kind, source|
    lines = BLOCKS.map do |block, make|
      seen = []
      result = show { source.public_send(name, *args, &make.(seen)) }
      "#{block} #{seen.inspect} #{result}"
    end
    puts "#{name} #{kind}: #{lines.join(" | ")}"
  end
end

SOURCES.each do |kind, source|
  %i[map select uniq zip take_while flat_map filter_map].each do |name|
    lines = BLOCKS.first(5).map do |block, make|
      seen = []
      "#{block} #{seen} #{show { r = source.lazy.public_send(name, &make.(seen)); r.to_a }} #{seen}"
    end
    puts "lazy #{name} #{kind}: #{lines.join(" | ")}"
  end
end

# Array#zip with a block of several parameters.
p [[1, 2]].zip { |a| p a }, [[1, 2]].zip { |a, b| p [a, b] }, [[1, 2]].zip([3]) { |a, b| p [a, b] }, [[1, 2]].zip { |*a| p a }
[[1].each, {a: 1}, Struct.new(:a).new(1), Set[1], 1..1, [1]].each { |e| [nil, true, 1].each { |r| p show { e.to_h { r } } } }
