# Calls of protected methods by sites that have called before: who may, who may not, and when that changes.
def try
  yield
rescue NoMethodError => error
  error.message.sub(/0x\h+/, "")
end

class Account
  def initialize(rank) = @rank = rank
  def <=>(other) = rank <=> other.rank
  def own = rank
  def by_self = self.rank
  def ask(other) = other.rank
  def ask_in_block(others) = others.map { |other| other.rank }
  def block = proc { |other| other.rank }
  def ask_by_send(other) = other.send(:rank)
  def ask_safely(other) = other&.rank
  def ask_with(other, *more) = other.with(*more)
  def set(other, value) = (other.level = value)
  def add(other, value) = (other.level += value)
  def compare(other) = other == self

  protected

  attr_reader :rank
  attr_accessor :level
  def with(a, b = 2, *c, d: 4, &e) = [@rank, a, b, c, d]
  def ==(other) = 7
end

class Sub < Account
  def ask_too(other) = other.rank
end

class Stranger
  def ask(other) = other.rank
  define_method(:ask_by_method) { |other| other.rank }
  protected def rank = :stranger
end

a, b, s = Account.new(1), Account.new(2), Sub.new(3)
3.times do
  p [a <=> b, a.own, a.by_self, a.ask(b), a.ask(s), s.ask(a), s.ask_too(a), a.ask_in_block([b, s]), a.ask_by_send(b), a.ask_safely(b), a.ask_safely(nil)]
  p [a.ask_with(b, 5), a.ask_with(b, 5, 6, 7), a.set(b, 4), a.add(b, 1), a.compare(b)]
  p try { b.rank }, try { Stranger.new.ask(a) }, try { Stranger.new.ask(Stranger.new) }, try { Stranger.new.ask_by_method(b) }
  p try { a.ask(Stranger.new) }, try { a.ask(3) }, try { a == b }
end

# A block is asked for by whatever `self` runs it.
block = a.block
3.times do
  p block.call(b), try { Stranger.new.instance_exec(b, &block) }, s.instance_exec(b, &block), try { nil.instance_exec(b, &block) }
end

# A method of a module may be run by objects of any class, the module itself included.
module Asking
  def ask_module(other) = other.secret
  protected def secret = [self.class, :secret]
  module_function :ask_module
  public :ask_module
end
class Holder
  include Asking
end
class Other
  include Asking
end
3.times do
  p Holder.new.ask_module(Other.new), try { Asking.ask_module(Holder.new) }, try { Asking.instance_method(:ask_module).bind_call(3, Holder.new) }
end

# Singletons.
one = Account.new(10)
def one.ask_one(other) = other.rank
class << one
  protected def hidden = :hidden
  def show(other) = other.hidden
end
3.times { p one.ask_one(a), one.show(one), try { one.hidden }, try { a.ask_one(one) } }

# Others' definitions.
class Wide
  def ask(other) = other.name_of
  protected def name_of = :wide
end
class Narrow < Wide
  protected def name_of = :narrow
end
3.times { p try { Wide.new.ask(Wide.new) }, try { Wide.new.ask(Narrow.new) }, try { Narrow.new.ask(Narrow.new) } }

# Visibility that changes.
class Account
  public :rank
end
p Stranger.new.ask(a), a.ask(b), b.rank
class Account
  private :rank
end
2.times { p try { Stranger.new.ask(a) }, try { a.ask(b) }, try { b.rank }, a.own, a.by_self }
class Account
  protected :rank
end
2.times { p try { Stranger.new.ask(a) }, try { a.ask(b) }, try { b.rank }, a.own }
class Account
  def method_missing(name, *) = [:missing, name]
  def respond_to_missing?(*) = true
end
2.times { p b.rank, Stranger.new.ask(a), a.ask(b) }
class Account
  undef rank
end
2.times { p b.rank, a.ask(b), a.own }

# A copy of a method elsewhere.
class Elsewhere < Wide
  define_method(:ask_elsewhere, Wide.instance_method(:ask))
  alias ask_alias ask
end
3.times { p Elsewhere.new.ask_elsewhere(Wide.new), Elsewhere.new.ask_alias(Wide.new) }
code = "def ask_there(other) = other.name_of"
[Wide, Stranger, Holder].each { |c| c.class_eval(code) }
3.times { p try { Wide.new.ask_there(Wide.new) }, try { Stranger.new.ask_there(Wide.new) }, try { Holder.new.ask_there(Wide.new) } }
[Wide, Stranger, Wide].each do |c|
  c.class_eval { def ask_anew(other) = other.name_of }
  2.times { p try { c.new.ask_anew(Wide.new) } }
end

# A copy of a class has methods of its own, and its objects are not of the original.
class Original
  def ask(other) = other.own_name
  protected def own_name = :original
end
Copy = Original.dup
CopyOfCopy = Copy.clone
3.times { p Original.new.ask(Original.new), try { Copy.new.ask(Original.new) }, try { Original.new.ask(Copy.new) }, try { Copy.new.ask(Copy.new) }, try { CopyOfCopy.new.ask(Copy.new) } }
original = Object.new
def original.ask(other) = other.own_name
class << original
  protected def own_name = :single
end
copy = original.clone
3.times { p try { original.ask(original) }, try { copy.ask(copy) }, try { copy.ask(original) }, try { original.ask(copy) } }
