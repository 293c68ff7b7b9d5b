# Calls with arguments in front of a list: order, conversions, lists that change meanwhile, keywords, blocks, and who is called.
def note(x) = ($seen << x; x)
class Lists
  def to_a = ($seen << :to_a; [8, 9])
end
def all(*a, **k, &b) = [a, k, b&.call]
def two(a, b) = [a, b]
def three(a, b = :b, *c) = [a, b, c]
def post(a, *b, c) = [a, b, c]
def keys(a, *b, k: 0, **o) = [a, b, k, o]
def rest_of(*a) = a

def show
  $seen = []
  value = begin; yield; rescue ArgumentError, TypeError, NoMethodError => e; [e.class, e.message]; end
  p [value, $seen]
end

list = [1, 2]
hash = { k: 5 }
2.times do
  show { all(note(:a), *note(list)) }
  show { all(note(:a), *Lists.new, note(:b)) }
  show { all(note(:a), note(:b), *list, note(:c), *list, **hash, &-> { note(:block); 3 }) }
  show { two(note(1), *[2]) }
  show { two(note(1), *[2, 3]) }
  show { two(note(1), note(2), *[]) }
  show { two(note(1), *nil) }
  show { two(1, *5) }
  show { three(1, *list) }
  show { three(1, *[], 2) }
  show { post(1, *list) }
  show { post(1, *[]) }
  show { keys(1, *list, k: 3, z: 4) }
  show { keys(1, *list, **hash) }
  show { keys(1, *[{ k: 9 }]) }
  show { keys(1, *[2, { k: 9 }], **{}) }
  show { rest_of(1, *list).equal?(list) }
  show { rest_of(*list).equal?(list) }
  show { a = rest_of(1, *list); a << 3; list }
  show { format("%d %s %p", 1, *%w[a b]) }
  show { [3].push(1, *list) }
  show { "abc".send(:[], 0, *[2]) }
  show { "abc".public_send(:[], *[0, 2]) }
  show { "abc".__send__(*[:[], 0, 2]) }
  show { send(:two, 1, *[2]) }
  show { send(:two, 1, *[2, 3]) }
  show { public_send(:two, 1, *[2]) }
  show { send(:all, 1, *list, &-> { :from_block }) }
  show { send(:all, 1, *list, **hash) { :literal } }
  show { send("all", *list) }
  show { send(*[]) }
  show { send(:all, *[]) }
  show { send(note(:all), note(1), *note(list), &note(nil)) }
  show { [1, 2, 3].send(:each_slice, *[2]).to_a }
  show { [1, 2, 3].send(:inject, *[10], &:+) }
  show { [1, 2, 3].send(:map, *[], &:to_s) }
  show { send(:lambda, *[], &proc { |x| x }).lambda? }
  show { Struct.new(:a, :b).new(1, *[2]).to_a }
  show { Array.new(2, *[7]) }
  show { yield_it(list) { |a, b, *c| [a, b, c] } }
end

def yield_it(list) = yield(note(0), *list)
show { yield_it([]) { |a| a } }
show { yield_it([1]) { |*a| a } }
show { yield_it([[1, 2]]) { |a, (b, c)| [a, b, c] } }

# What is evaluated behind the list must not change what is passed.
def self.changing(list) = (list << :late; {})
a = [1]
show { all(0, *a, **changing(a)) }
show { all(0, *a, &(a << :block; nil)) }
show { all((a << :early; 0), *a) }
show { all(0, *a, (a << :behind; 1)) }

# ruby2_keywords, method_missing, delegation, super.
class Passing
  ruby2_keywords def old(name, *args, &block) = TARGET.send(name, 1, *args, &block)
  def fresh(name, ...) = TARGET.send(name, 1, ...)
  def starred(name, *, **, &) = TARGET.send(name, 1, *, **, &)
  def method_missing(name, *args, **keys, &block) = TARGET.public_send(name, :missing, *args, **keys, &block)
  def respond_to_missing?(*) = true
end
class Target; def keys(a, *b, k: 0, **o, &c) = [a, b, k, o, c&.call]; def plain(a, b) = [a, b]; private def hidden(*) = :hidden; protected def guarded(*) = :guarded end
TARGET = Target.new
passing = Passing.new
3.times do
  show { passing.old(:keys, 2, k: 3) { 4 } }
  show { passing.old(:plain, 2) }
  show { passing.old(:hidden, 2) }
  show { passing.fresh(:keys, 2, k: 3) { 4 } }
  show { passing.fresh(:plain, 2) }
  show { passing.starred(:keys, 2, k: 3) { 4 } }
  show { passing.starred(:plain, 2) }
  show { passing.keys(2, k: 3) { 4 } }
  show { passing.plain(2) }
  show { passing.hidden.class }
  show { passing.guarded.class }
  show { passing.plain(2, 3) }
end
class Upper
  def initialize(a, b = 2, *c, d: 4, **e, &f) = @all = [a, b, c, d, e, f&.call]
  attr_reader :all
  def each_of(a, *b, c) = [:upper, a, b, c]
end
class Lower < Upper
  def initialize(a, *c, **k, &f)
    c = c + [:more] if c.size == 1
    super
  end
  def each_of(a, *b, c) = (b = 5 if a == :odd; super)
end
2.times do
  show { Lower.new(1).all }
  show { Lower.new(1, 5, d: 6, z: 7) { 8 }.all }
  show { Lower.new(1, 5, 6).all }
  show { Lower.new.all }
  show { Lower.new(1).each_of(1, 2, 3, 4) }
  show { Lower.new(1).each_of(1, 2) }
  show { Lower.new(1).each_of(:odd, 2, 3) }
end
class Explicit < Upper
  def initialize(*a) = super(0, *a)
end
2.times { show { Explicit.new(1, 2, d: 3).all }; show { Explicit.new.all } }

# Long lists, and many arguments in front of them.
long = (1..3000).to_a
show { rest_of(:a, *long).size }
show { send(:rest_of, :a, *long).size }
show { two(:a, *long) }
show { eval("rest_of(#{(1..1200).to_a.join(", ")}, *list).size") }
show { eval("rest_of(#{(1..900).to_a.join(", ")}, *list).last(3)") }
i = total = 0
while i < 3000
  total += three(i, *list)[2].size + send(:two, 1, *[i])[1]
  i += 1
end
p total
