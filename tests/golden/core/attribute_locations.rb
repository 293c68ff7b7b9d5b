# Where readers and writers were made, which procs stand for symbols, and what several Ractors may share of procs and methods.
class Point
  attr_reader :x
  attr_accessor :y,
                :z
  attr_writer :w
  attr :v
  alias depth z
end

%i[x y y= z w= v depth].each do |name|
  method = Point.instance_method(name)
  file, line = method.source_location
  puts "#{name}: #{File.basename(file)}:#{line} #{method.inspect[/ [^ ]*>\z/].delete_prefix(" ").then { File.basename(it) }}"
end
p Point.new.method(:x).to_proc.source_location
p Struct.new(:a).instance_method(:a).source_location

p :upcase.to_proc.equal?(:upcase.to_proc)
def block_of(&block) = block
p block_of(&:upcase).equal?(:upcase.to_proc)
p :upcase.to_proc.dup.equal?(:upcase.to_proc)
:upcase.to_proc.instance_variable_set(:@note, 1)
p block_of(&:upcase).instance_variable_get(:@note)

def attempt
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end

attempt { Ractor.make_shareable(:downcase.to_proc).frozen? }
attempt { [Ractor.shareable?(:downcase.to_proc), Ractor.shareable?(:swapcase.to_proc), :downcase.to_proc.call("A")] }
attempt { Ractor.make_shareable(1.method(:+)).frozen? }
attempt { Ractor.make_shareable([].method(:push)) }
attempt { Ractor.make_shareable([[].method(:push)]) }
attempt { Ractor.make_shareable(1.method(:+).unbind).frozen? }
attempt { Ractor.make_shareable(1.method(:+).to_proc) }
attempt { Ractor.make_shareable({ a: 1 }.to_proc) }
attempt { Ractor.make_shareable(:a.to_proc >> :b.to_proc) }

# Classes whose objects are not allocated.
[Rational, Complex, Refinement].each do |unallocated|
  attempt { unallocated.allocate }
  p unallocated.respond_to?(:allocate)
end
p Thread::Backtrace::Location.respond_to?(:new)
p Rational.send(:convert, 1, 2), Complex.send(:convert, "1+2i"), Complex.respond_to?(:convert)
