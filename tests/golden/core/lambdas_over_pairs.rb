# A lambda of two parameters is handed a key and a value by a hash and by an enumerator over its pairs.
def try
  p yield
rescue ArgumentError, TypeError => e
  puts "#{e.class}: #{e.message}"
end

hash = { a: 1, b: 2 }
two = ->(key, value) { [key, value] }
rest = ->(*all) { all }
%i[map collect find detect flat_map select filter_map each_entry each_with_index sort_by any? group_by to_a].each do |name|
  [hash, hash.each, hash.each_pair, hash.to_enum, hash.each.each, hash.each_entry, hash.to_a.each].each do |over|
    [two, rest].each { |block| try { over.send(name, &block) } }
  end
end

# Numbers of elements.
[(1...1), (1..2), [], [2, 1], {}].each do |over|
  [0, -1, 2, "x"].each do |count|
    %i[min max].each { |name| try { over.send(name, count) } }
    %i[min_by max_by].each { |name| try { over.send(name, count) { |x, _| x } } }
  end
end
try { (1..2).min(nil) }
try { (1...1).max(nil) }
try { [2, 1].min(nil) }

# Bits by what is no integer.
["a", nil, :a, 1.9, Object.new, 1r, Complex(1, 0)].each do |index|
  try { 5[index] }
  try { (1 << 70)[index] }
end
