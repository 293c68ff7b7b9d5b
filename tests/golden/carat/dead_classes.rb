# Memory of classes, singleton classes and their shapes is given back: a hundred thousand of each leave nothing behind.
def resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

module Extra
  attr_accessor :extra
end

def classes(count) = count.times { Class.new { def name = 1 } }

def including(count)
  shared = Module.new
  count.times { Class.new.include(shared).include(Module.new) }
end

def extended(count)
  count.times do
    object = Object.new
    object.instance_variable_set(:@first, 1)
    object.extend(Extra)
    object.extra = 2
  end
end

def structs(count) = count.times { Struct.new(:a, :b).new(1, 2) }

%i[classes including extended structs].each do |kind|
  send(kind, 2_000)
  before = resident
  send(kind, 25_000)
  grown = resident - before
  puts "#{kind}: #{grown < 8_192 ? "given back" : "#{grown} KB more"}"
end
