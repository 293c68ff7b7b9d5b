# What `_id2ref` finds by an id, and what it says of others.
$VERBOSE = nil

object = Object.new
kept = [
  object, "text", Class.new, object.singleton_class, [], {}, 1..2, ->{}, :symbol, :"made at #{1} time", 1.5, 1e300, nil, true,
  false, 0, -1, 5, 2**62, 2**70, 3r, 2i
]
kept.each { |value| puts ObjectSpace._id2ref(value.object_id).equal?(value) }
10_000.times { ObjectSpace._id2ref(object.object_id) }

[2**80, -2**80, 123_456, 0xffffff10, -8, "8", nil].each do |id|
  ObjectSpace._id2ref(id)
rescue RangeError, TypeError => error
  puts "#{error.class}: #{error.message.sub("recycled object", "not an id value").sub("is a not", "is not")}"
end

# Listed are objects of a class and of those below it, each once.
class Listed; end
class Below < Listed; end
list = Array.new(3) { Listed.new } + Array.new(2) { Below.new }
puts ObjectSpace.each_object(Listed) { }, ObjectSpace.each_object(Below).count
puts ObjectSpace.each_object(Listed).to_a.uniq.size == 5, list.size
puts ObjectSpace.each_object(Class).include?(Below), ObjectSpace.each_object(Listed.singleton_class).to_a.size
counts = ObjectSpace.count_objects
puts counts.values_at(:T_STRING, :T_CLASS, :T_OBJECT).all?(&:positive?), counts.keys.first(2).inspect
