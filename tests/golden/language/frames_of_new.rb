# Where `new` has a frame of its own in a backtrace: a call with a block, or by another name.
class Made
  def initialize(value = nil)
    raise "made" if value != :twice
  end
end

def labels
  yield
rescue StandardError => e
  puts "#{e.class}: #{e.backtrace_locations.map(&:label).take_while { |label| label != "Object#labels" }.join(", ")}"
end

labels { Made.new }
labels { Made.new { } }
labels { Made.new(1, 2) }
labels { Made.send(:new) }
labels { Array.new(2) { raise "in the block" } }
labels { Class.new { raise "in the block" } }
labels { Module.new { raise "in the block" } }
labels { Hash.new(1) { } }
labels { format("%d", nil) }
labels { format("%f", []) }

[Rational(1, 2), false, nil, true, Object].each do |value|
  %i[Rational Complex Hash Integer Float].each do |name|
    Kernel.public_send(name, value)
  rescue TypeError => e
    puts e.message
  end
end
