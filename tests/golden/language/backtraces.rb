# Backtraces: labels of every kind of frame, caller, caller_locations, set_backtrace.
class Tracer
  def instance = trace
  def self.singleton = new.trace
  def trace = raise("traced")
  def block = [1].each { |_| trace }
  def nested_block = [1].each { [2].each { trace } }
  def ensured
    trace
  ensure
    1
  end
  define_method(:defined) { trace }
  def with_lambda = -> { trace }.call
  module Inner
    def self.go = Tracer.new.trace
  end
  class << self
    def meta = new.trace
  end
end
object = Tracer.new
def object.only = trace
def show
  yield
rescue => error
  puts error.backtrace.reject { _1.include?("<internal") }.map { |line| line.sub(/\A.*\//, "") }.take_while { !_1.include?("'Object#show'") }
  puts "--"
end
show { object.instance }
show { Tracer.singleton }
show { object.block }
show { object.nested_block }
show { object.ensured }
show { object.defined }
show { object.with_lambda }
show { Tracer::Inner.go }
show { Tracer.meta }
show { object.only }
show { Integer("nope") }
show { [3, 1].map { |x| x.nope } }
show { 5.times { object.trace } }
show { eval("object.trace", binding, "in_eval.rb", 9) }
show { Class.new { def go = raise("anonymous") }.new.go }
def caller_test = caller(1, 1).first.sub(/\A.*\//, "")
p caller_test
def location_test
  location = caller_locations(1, 1).first
  [location.lineno, location.label, location.base_label, File.basename(location.path), location.to_s.sub(/\A.*\//, "")]
end
p location_test
def in_method = location_test
p in_method
p [1].map { location_test[1] }
def zero = caller_locations(0).first.label
p zero, __method__.inspect
error = RuntimeError.new("made")
p error.backtrace, error.backtrace_locations
error.set_backtrace(["a:1", "b:2"])
p error.backtrace, error.backtrace_locations
puts error.full_message(highlight: false, order: :top), error.full_message(highlight: false, order: :bottom)
begin
  raise RuntimeError, "given", ["x:1:in 'y'"]
rescue => e
  p e.backtrace
end
def recurse(n) = n.zero? ? raise("deep") : recurse(n - 1)
begin
  recurse(3)
rescue => e
  puts e.backtrace.map { _1.sub(/\A.*\//, "") }.first(5)
  p e.backtrace_locations.first.lineno
end
