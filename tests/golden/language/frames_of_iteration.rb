# What stands between a block that raises and the core method that it was given to: `each`, and what enumerators stand for.
# Then blocks in evaluated text, which count the blocks around it.
Pair = Struct.new(:a, :b)

class Own
  include Enumerable

  def each
    yield 1
    yield 2
  end
end

RECEIVERS = {
  array: -> { [1, 2] }, hash: -> { { a: 1, b: 2 } }, range: -> { 1..3 }, texts: -> { "a".."c" }, set: -> { Set[1, 2] },
  struct: -> { Pair.new(1, 2) }, own: -> { Own.new }, sequence: -> { 1.step(5, 2) }, each: -> { [1, 2].each },
  map: -> { { a: 1 }.map }, with_index: -> { [1, 2].each_with_index }, slices: -> { Own.new.each_slice(1) },
  nested: -> { [1].each.with_index.with_object([]) }, generator: -> { Enumerator.new { |y| y << 1 } },
}.freeze
METHODS = %i[
  all? any? collect count each_entry each_with_index each_with_object filter_map find flat_map group_by inject max_by minmax none?
  partition reject reverse_each sort sort_by sum tally_by to_h uniq zip
].freeze
ARGUMENTS = { each_with_object: [nil], inject: [0], zip: [[1]] }.freeze

def frames(receiver, method)
  receiver.public_send(method, *ARGUMENTS[method]) { raise "here" }
rescue RuntimeError => e
  labels = e.backtrace_locations.map(&:label)
  labels.take_while { _1 != "Object#frames" }.grep_v(/public_send/)
rescue NoMethodError, TypeError => e
  e.class
end

RECEIVERS.each do |name, make|
  puts "#{name}:"
  METHODS.each do |method|
    # A hash is summed without `each`.
    next if name == :hash && method == :sum
    puts "  #{method}: #{frames(make.call, method).inspect}"
  end
end

def labels_of_error
  yield
rescue TypeError => e
  p e.backtrace_locations.map(&:label).take_while { !_1.start_with?("block in <") }
end
labels_of_error { [1, nil].sum }
labels_of_error { Set[1, nil].sum }
labels_of_error { ("a".."b").sum }
labels_of_error { (1..2).sum { nil } }
labels_of_error { [1, nil].inject { |a, b| a + b } }
labels_of_error { 5.div(nil) }

def own_label = caller_locations(1, 1)[0].label

class Own
  def evaluated = [1].map { [eval("own_label"), eval("[1].map { own_label }"), eval("eval('[1].map { own_label }')")] }
  def around = binding
  X = [1].map { eval("[1].map { own_label }") }
end
p Own.new.evaluated, Own::X, eval("[1].map { own_label }", Own.new.around)
p [1].map { eval("[own_label, [1].map { own_label }]") }
p (-> { -> { eval("-> { own_label }.()") }.() }).()
p Own.class_eval { [own_label, eval("[1].map { own_label }")] }
