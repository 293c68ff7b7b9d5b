# Methods that the implementation calls by itself, defined anew where they came from.
class Module
  def const_added(name) = puts("const_added #{name}")
  def method_added(name) = puts("method_added #{name}")
  def method_removed(name) = puts("method_removed #{name}")
end
class Class
  def inherited(other) = puts("inherited #{other.name.inspect}")
end
class BasicObject
  def singleton_method_added(name) = ::Kernel.puts("singleton_method_added #{name}")
end
class A; def one = 1; remove_method :one; end
class B < A; end
C = Class.new(A)
module M; end
D = 1
object = Object.new
def object.two = 2

class BasicObject; undef_method :singleton_method_added; end
begin
  def object.three = 3
rescue NoMethodError => error
  puts error.message.sub(/0x\h+/, "")
end
class Answering; def method_missing(*call) = p(call); end
answering = Answering.new
def answering.four = 4
class BasicObject; def singleton_method_added(name) = nil; end

class Module
  def const_missing(name) = "missing #{name}"
end
p Nowhere, A::Nowhere

class Object
  def respond_to_missing?(name, all) = name == :answered
end
p Object.new.respond_to?(:answered), 5.respond_to?(:answered), (5.method(:answered).name)
class Object; remove_method :respond_to_missing?; end

module Kernel
  def initialize_clone(other, freeze: nil) = puts("initialize_clone #{freeze.inspect}")
  def initialize_dup(other) = puts("initialize_dup")
end
Object.new.clone(freeze: true)
Object.new.dup
"text".dup

class Hash; alias plain_default default; end
class Hash; def default(key = nil) = "default #{key}"; end
p({}[:a], { a: 1 }[:b], { a: 1 }["b"], { a: 1 }.dig(:c), Hash.new(1)[:c])
class Hash; alias default plain_default; end
p({}[:a], Hash.new(1)[:c])
class Hash; def dig(*keys) = "dug #{keys}"; end
class Array; def dig(*keys) = "array #{keys}"; end
p({ a: { b: 1 } }.dig(:a, :b), [[{ a: 1 }]].dig(0, 0), [1].dig(0))

class Symbol; def to_proc = proc { |word| "#{self} #{word}" }; end
p [1, 2].map(&:even?)

class Module; def name = "named"; end
begin
  raise ArgumentError
rescue => error
  p error.message, error.class.name
end
class Module; def ===(other) = other == 5; end
p (case 5 when String then :string else :other end), (case "a" when String then :string else :other end)

class BasicObject; def !() = "not"; end
p !1, (not nil)
module Kernel; def nil? = "nil?"; end
p 1.nil?, Object.new.nil?
