# oracle: native
# Blocks that a Ractor or a shareable proc keeps apart: variables that may change, evaluated text, bindings; class variables;
# arguments that can be neither copied nor moved; moved objects as arguments.
Warning[:experimental] = false

def try
  p yield
rescue Exception => error
  p error.class, error.message
  p error.cause.class, error.cause.message if error.cause
end

# ---- variables that may be assigned again ----

try { once = 1; nil.instance_exec { Ractor.shareable_proc { once } }.call }
try { twice = 1; twice = 2; nil.instance_exec { Ractor.shareable_proc { twice } } }
try { perhaps = 1; perhaps = 2 if rand > 2; nil.instance_exec { Ractor.shareable_proc { perhaps } } }
try { later = 1; pr = nil.instance_exec { Ractor.shareable_proc { later } }; later = 2; pr }
try { inside = 1; [1].each { inside += 1 }; nil.instance_exec { Ractor.shareable_proc { inside } } }
try { 1.times { |i| i = 2; nil.instance_exec { Ractor.shareable_proc { i } } } }
try { a, b = 1, 2; nil.instance_exec { Ractor.shareable_proc { [a, b] } }.call }
try { a, b = 1, 2; b, a = a, b; nil.instance_exec { Ractor.shareable_proc { [a, b] } }.call }
try { value ||= 3; nil.instance_exec { Ractor.shareable_proc { value } }.call }
try { value = 1 until value; nil.instance_exec { Ractor.shareable_proc { value } }.call }
try { list = []; list = 3; nil.instance_exec { Ractor.make_shareable(proc { list }) } }
try { list = []; nil.instance_exec { Ractor.make_shareable(proc { list }) } }
def optional(o = :z) = nil.instance_exec { Ractor.shareable_proc { o } }
def rest(*rest, key: 1, **options, &block) = nil.instance_exec { Ractor.shareable_proc { [rest, key, options] } }
try { optional.call }
try { optional(5).call }
try { rest.call }
try { case [1, 2]; in [x, y]; nil.instance_exec { Ractor.shareable_proc { x + y } }.call end }
try { /(?<word>a)/ =~ "a"; word.freeze; nil.instance_exec { Ractor.shareable_proc { word } }.call }

# ---- text that is evaluated inside ----

outside = 3
try { nil.instance_exec { Ractor.shareable_proc { eval("outside") } }.call }
try { nil.instance_exec { Ractor.shareable_proc { outside; eval("outside") } }.call }
try { other = 3; nil.instance_exec { Ractor.shareable_proc { eval("other = 4") } }.call }
try { nil.instance_exec { Ractor.shareable_proc { eval("proc { outside }") } }.call }
try { nil.instance_exec { Ractor.shareable_proc { binding.eval("outside") } }.call }
try { nil.instance_exec { Ractor.shareable_proc { eval("defined?(outside)") } }.call }
try { nil.instance_exec { Ractor.shareable_proc { own = 5; [1].map { |x| eval("own + x") } } }.call }
try { nil.instance_exec { Ractor.shareable_proc { own = 5; [1].map { |x| eval("own + outside") } } }.call }
try { nil.instance_exec { Ractor.shareable_proc { own = 5; binding.local_variables } }.call }
try { nil.instance_exec { Ractor.shareable_proc { binding.local_variable_defined?(:outside) } }.call }
try { nil.instance_exec { Ractor.shareable_proc { binding.local_variable_set(:outside, 4); outside } }.call }
try { nil.instance_exec { Ractor.shareable_proc { } }.binding }
block = nil.instance_exec { proc { [eval("outside"), binding.local_variable_get(:outside)] } }
try { block.call }
try { Ractor.make_shareable(block).equal?(block) }
try { block.call }
try { block.binding }

# ---- class variables ----

class Settings
  @@size = 1
  @@name = +"x"
  @@deep = [1, "a".freeze].freeze
  def self.size = @@size
  def self.name_of = @@name
  def self.deep = @@deep
  def self.size=(x)
    @@size = x
  end
  def self.missing = @@missing
  def self.or_set = @@missing ||= 3
  def self.all = class_variables.sort
  def self.defined = [defined?(@@name), class_variable_defined?(:@@size)]
end

def elsewhere(&block)
  ractor = Ractor.new(&block)
  ractor.value
rescue Ractor::RemoteError => error
  raise error.cause.class, error.cause.message, cause: nil
end

Thread.report_on_exception = false
Settings.size
try { elsewhere { Settings.size } }
try { elsewhere { 3.times.map { Settings.size } } }
try { elsewhere { Settings.deep } }
try { elsewhere { Settings.name_of } }
try { elsewhere { Settings.size = 4 } }
try { elsewhere { Settings.missing } }
try { elsewhere { Settings.or_set } }
try { elsewhere { Settings.all } }
try { elsewhere { Settings.defined } }
try { elsewhere { Settings.class_variable_get(:@@size) } }
try { elsewhere { Settings.class_variable_get(:@@name) } }
try { elsewhere { Settings.class_variable_set(:@@name, 3) } }
Settings.size = [1]
try { elsewhere { Settings.size } }
Settings.size = 6
try { elsewhere { Settings.size } }

# ---- what can be neither copied nor moved ----

try { Ractor.new(Thread.current) { } }
try { Ractor.new([Thread.current]) { } }
class Stubborn
  def initialize_copy(other) = raise("no")
end
try { Ractor.new(Stubborn.new) { } }
sink = Ractor.new { loop { Ractor.receive } }
try { sink.send(Thread.current, move: true) }
try { sink.send([[Mutex.new]], move: true) }

# ---- moved objects as arguments ----

gone = [1]
sink.send(gone, move: true)
try { [].concat(gone) }
try { "".replace(gone) }
try { {}.merge(gone) }
try { "" + gone }
try { Integer(gone) }
try { File.open(gone) }
try { [1].each(&gone) }
try { "a".tr(gone, "b") }
try { Array.new(gone) }
try { [0][gone] }
try { Time.at(gone) }
try { gone.size }
try { raise gone }

# ---- parameters without names around the block ----

def list(*) = nil.instance_exec { Ractor.shareable_proc { eval("[*]") } }
def options(**) = nil.instance_exec { Ractor.shareable_proc { eval("{**}") } }
def everything(...) = nil.instance_exec { Ractor.shareable_proc { eval("p(...)") } }
[list(1), options(a: 1), everything(1)].each do |block|
  block.call
rescue SyntaxError => error
  p error.class
end
