# Core methods that tell their parameters by name.
instance = {
  Array => %i[fetch_values first last pack sample shuffle shuffle!], Integer => %i[ceildiv], IO => %i[read_nonblock readline write_nonblock],
  Kernel => %i[Float Integer Pathname clone warn], NilClass => %i[rationalize], String => %i[unpack unpack1],
  Thread::Queue => %i[pop shift deq], Thread::Mutex => %i[sleep], Thread::ConditionVariable => %i[wait], TracePoint => %i[enable],
  Time => %i[initialize], Hash => %i[initialize], Dir => %i[initialize]
}
instance.each do |owner, names|
  names.each { |name| p [owner, name, owner.instance_method(name).parameters, owner.instance_method(name).arity] }
end
singleton = {
  Dir => %i[[] glob open], GC => %i[start stat], Kernel => %i[Float Integer warn Pathname], Marshal => %i[load], Time => %i[now at],
  Ractor => %i[new make_shareable select], TracePoint => %i[new]
}
singleton.each do |owner, names|
  names.each { |name| p [owner, name, owner.method(name).parameters, owner.method(name).arity] }
end

# The others tell how many there are.
p [].method(:push).parameters, [].method(:at).parameters, "".method(:sub).parameters, 3.method(:+).arity
p Marshal.method(:load).unbind.arity, Time.method(:now).to_proc.parameters, Marshal.method(:load).to_proc.arity
p Kernel.instance_method(:Integer).inspect[/\(.*?\)(?= |>|\z)/]

# A program's own method of that name is its own.
class Array
  def first(count = nil, *rest) = count
end
p [].method(:first).parameters, [].method(:first).arity
class Own < Array
  alias one last
end
p Own.instance_method(:one).parameters, Own.new.method(:last).parameters

p Kernel.Pathname("a"), Ractor::Error.superclass, Ractor::MovedError.ancestors.include?(RuntimeError)

# What passes keywords on in the manner of Ruby 2 says that it takes them.
class Forwarder
  ruby2_keywords def all(first, *rest, &block) = nil
  def plain(*rest) = nil
end
p Forwarder.instance_method(:all).parameters, Forwarder.instance_method(:plain).parameters, Forwarder.instance_method(:all).arity
p proc { |*rest, &block| }.ruby2_keywords.parameters, lambda { |*rest| }.ruby2_keywords.parameters
