# What is forwarded, warned of and refused.
require "forwardable"; require "singleton"
def Warning.warn(text, **) = puts(text.gsub(/\S*\.rb:\d+/, "FILE"))
class Owner
  extend Forwardable
  def_delegators :@list, :size, :push, :[], :<<, :empty?, :hidden
  def_delegator :list, :first, :top
  def_delegator "self.class", :name, :kind
  def_delegator :missing, :foo
  def_delegator :@list, :nothing
  def initialize = (@list = [3, 1]; def @list.hidden = 7; @list.singleton_class.send(:private, :hidden))
  def list = @list
end
def t; p yield; rescue Exception; puts "#{$!.class}: #{$!.message}"; end
o = Owner.new
t { [o.size, o.push(4), o[0], o << 5, o.empty?, o.top, o.top(2), o.kind] }
t { o.foo }
s = Object.new.extend(SingleForwardable)
s.def_delegator "'text'", :upcase
s.def_delegator "'text'", :puts
t { s.upcase }
t { s.method(:upcase).arity }
t { "x".dup.extend(Singleton) }
class One; include Singleton; end
t { One.instance.equal?(One.instance) }
class K; extend Forwardable; def_delegator :itself, :foo, :bar; private def foo(a = 1, b: 2) = [a, b, block_given?]; end
p(K.new.bar(5, b: 6) {})
