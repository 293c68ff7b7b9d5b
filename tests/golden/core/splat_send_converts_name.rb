# A splat's elements stay as they are while `__send__` converts the name, however much Ruby code that runs.
class Name
  def initialize(name) = @name = name

  def to_str
    deep(5)
    GC.start
    @name
  end

  def deep(n) = n.zero? ? [n].map { |i| i.to_s * 3 }.join : deep(n - 1)
end

class Catcher
  def method_missing(name, *args, **options) = [name, args, options]
  def respond_to_missing?(*) = true
  def take(*args, **options) = [args, options]
end

rest = (1..20).map(&:to_s)
p Catcher.new.__send__(*[Name.new("take"), *rest])
p Catcher.new.public_send(*[Name.new("take"), *rest], a: 1, **{ b: 2 })
p Catcher.new.__send__(:__send__, *[Name.new("take"), *rest])
p Catcher.new.__send__(*[:public_send, Name.new("other"), *rest])
p Catcher.new.__send__(*[Name.new("other"), *rest], c: 3)

# The same for a block that takes its only argument apart.
class Pair
  def to_ary
    GC.start
    (1..5).map { |i| [i].map(&:to_s) }
  end
end

def each_of(list) = yield(*list)
def each_with(list, **options) = yield(*list, **options)
p each_of([Pair.new]) { |a, b, *c| [a, b, c] }
p each_with([Pair.new], k: 1) { |a, b = 2, *c, k: 0| [a.class, b, c, k] }
