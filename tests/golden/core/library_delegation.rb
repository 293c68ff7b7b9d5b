# delegate, forwardable, singleton and weakref.
require "delegate"
require "forwardable"
require "singleton"
require "weakref"

class Loud < SimpleDelegator
  def first = super.to_s.upcase
end
loud = Loud.new(%w[a b])
p loud.first, loud.last, loud == %w[a b], loud.is_a?(Loud), loud.respond_to?(:push), loud.respond_to?(:nothing)
p loud.map(&:ord), loud.inspect, loud.to_s, loud.eql?(loud), !loud, loud != 1
loud.__setobj__([1])
p loud.size, loud.method(:push).arity, loud.methods.include?(:push)
begin
  loud.nothing
rescue NoMethodError => e
  puts e.message[/undefined method 'nothing'/]
end
begin
  loud.__setobj__(loud)
rescue ArgumentError => e
  puts e.message
end
p loud.dup.equal?(loud), loud.clone.__getobj__.equal?(loud.__getobj__)
p Marshal.load(Marshal.dump(SimpleDelegator.new([1, 2])))

class Stack < DelegateClass(Array)
  def initialize = super([])
  def top = last
end
stack = Stack.new
stack.push(1, 2)
p stack.top, stack.length, stack.sum, Stack.instance_method(:push).class, stack.frozen?
stack.freeze
begin
  stack.push(3)
rescue FrozenError => e
  puts e.message
end

class Queue2
  extend Forwardable
  def_delegators :@items, :size, :<<, :first
  def_delegator :@items, :shift, :take
  def_delegator "self.class", :name, :kind
  delegate %i[empty? each] => :@items
  def initialize = @items = []
end
queue = Queue2.new
queue << 1 << 2
p queue.size, queue.take, queue.first, queue.empty?, queue.kind
object = Object.new
object.extend SingleForwardable
object.def_delegator "[3, 1, 2]", :sort
p object.sort

class Settings
  include Singleton
  attr_accessor :level
end
p Settings.instance.equal?(Settings.instance)
[-> { Settings.new }, -> { Settings.instance.dup }, -> { Settings.instance.clone }].each do |call|
  call.call
rescue NoMethodError, TypeError => e
  puts e.message
end
p Marshal.load(Marshal.dump(Settings.instance)).equal?(Settings.instance)

text = "kept alive"
reference = WeakRef.new(text)
p reference.weakref_alive?, reference.size, reference.__getobj__.equal?(text), reference == "kept alive"
