# What is asked often by name is found without a search the second time: it has to notice what changed in between.

def try
  yield
rescue Exception => e
  "#{e.class}: #{e.message.gsub(/0x\h+/, '0x')}"
end

# ---- constants ----
module Outer
  A = 1
  class Base; B = :base; end
  class Sub < Base; end
  module Mixed; C = :mixed; end
end

def often(from, name) = 40.times.map { try { from.const_get(name) } }.uniq
def known(from, name) = 40.times.map { try { from.const_defined?(name) } }.uniq

p often(Outer, :A), often(Outer, :String), often(Outer::Sub, :B), often(Outer::Sub, :String), known(Outer::Sub, :C)
Outer::Sub.const_set(:B, :own)
p often(Outer::Sub, :B)
Outer::Sub.send(:remove_const, :B)
p often(Outer::Sub, :B)
p often(Outer::Sub, :C)
Outer::Base.include(Outer::Mixed)
p often(Outer::Sub, :C), known(Outer::Sub, :C)
Outer::Mixed.send(:remove_const, :C)
p often(Outer::Sub, :C), known(Outer::Sub, :C)
Outer::Mixed.const_set(:C, :again)
p often(Outer::Sub, :C)
Outer.send(:private_constant, :A)
p often(Outer, :A), try { Outer::A }
Outer.send(:deprecate_constant, :A)
p often(Outer, :A)
p often(Outer, :a), often(Outer, :Nope), often(Outer, :"A::B"), often(Outer, "Base::B"), often(Outer, nil)
p 40.times.map { try { Outer.const_get(:String, false) } }.uniq, 40.times.map { Outer.const_defined?(:String, false) }.uniq
p 40.times.map { try { Outer.const_get(:Base, false) } }.uniq
class Outer::Sub
  def self.const_missing(name) = [:missing, name]
end
p often(Outer::Sub, :Nope), known(Outer::Sub, :Nope)
Object.const_set(:TopLevelOne, 1)
p often(Outer, :TopLevelOne), often(Outer::Sub, :TopLevelOne)
Object.send(:remove_const, :TopLevelOne)
p often(Outer, :TopLevelOne), often(Outer::Sub, :TopLevelOne)
20.times { |i| p often(Class.new { const_set(:Mine, i) }, :Mine) == [i] || i if i % 7 == 0 }
$values = 60.times.map { |i| c = Class.new; c.const_set(:Mine, "v#{i}"); GC.start if i % 20 == 0; 3.times.map { c.const_get(:Mine) }.uniq }
p $values.flatten == 60.times.map { |i| "v#{i}" }

# ---- instance variables ----
class Holder
  def initialize(n) = n.times { |i| instance_variable_set("@v#{i}", i) }
end

def variables(object, name) = 40.times.map { try { object.instance_variable_get(name) } }.uniq
def there(object, name) = 40.times.map { try { object.instance_variable_defined?(name) } }.uniq

p variables(Holder.new(3), :@v2), variables(Holder.new(3), "@v1"), variables(Holder.new(3), :@v3), there(Holder.new(3), :@v2)
p variables(Holder.new(60), :@v59), variables(Holder.new(1), :v0), variables(Holder.new(1), :@@v0), variables(Holder.new(1), 1)
p there(Holder.new(1), :v0), there(Holder.new(1), :@v1), there(nil, :@a), variables(5, :@a), variables(:s, :@a)
holder = Holder.new(4)
p variables(holder, :@v2), holder.remove_instance_variable(:@v2), variables(holder, :@v2), there(holder, :@v2), variables(holder, :@v3)
Holder.instance_variable_set(:@own, [1])
p variables(Holder, :@own), variables("text", :@own), there(Holder, :@none)
text = +"text"
text.instance_variable_set(:@mark, 7)
p variables(text, :@mark), variables(text.dup, :@mark), variables([1].freeze, :@mark)

# ---- singleton classes ----
plain = Object.new
p 40.times.map { plain.singleton_class }.uniq.size, plain.singleton_class.frozen?
plain.freeze
p 40.times.map { plain.singleton_class }.uniq.size, plain.singleton_class.frozen?
p 40.times.map { try { 5.singleton_class } }.uniq, 40.times.map { nil.singleton_class }.uniq
p 40.times.map { Holder.singleton_class.singleton_class }.uniq.size
copy = Object.new.tap(&:singleton_class).clone
p copy.singleton_class.equal?(plain.singleton_class), 40.times.map { copy.singleton_class }.uniq.size

# ---- __method__ ----
class Named
  def own = __method__
  alias other own
  define_method(:defined) { [__method__, __callee__] }
  def in_block = [1].map { __method__ }
  def callee = [__method__, __callee__]
  alias callee_too callee
  def missing = 1.then { __method__ }
end
named = Named.new
p 40.times.map { [named.own, named.other, named.defined, named.in_block, named.callee, named.callee_too, named.send(:callee_too)] }.uniq
p __method__, [1].each { break __method__ }
named.singleton_class.send(:alias_method, :third, :callee)
p 3.times.map { named.third }.uniq, named.public_send(:third), named.method(:third).call
