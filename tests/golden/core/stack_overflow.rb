# oracle: native
# Too deep a recursion is an exception wherever it happens, and the program goes on.
def forever(n) = forever(n + 1) + 1
begin
  forever(0)
rescue SystemStackError => error
  p error.class, error.message, error.backtrace.size > 100, error.is_a?(StandardError)
end
block = ->(n) { [n].each { |v| block.(v + 1) } }
begin
  block.(0)
rescue SystemStackError
  puts "block"
end
class Missing
  def method_missing(name, *args) = send(:"#{name.to_s[0, 3]}x", *args)
  def respond_to_missing?(*) = true
end
begin
  Missing.new.go
rescue SystemStackError
  puts "method_missing"
end
h = Hash.new { |hash, key| hash[key + 1] }
begin
  h[0]
rescue SystemStackError
  puts "hash default"
end
begin
  define_method(:dm) { |n| dm(n + 1) } rescue self.class.send(:define_method, :dm) { |n| dm(n + 1) }
  dm(0)
rescue SystemStackError
  puts "define_method"
end
a = []
a << a
p a.inspect, a == a
class Cmp
  include Comparable
  def <=>(other) = self == other ? 0 : 1
end
p Cmp.new == Cmp.new rescue p $!.class
f = Fiber.new { begin; forever(0); rescue SystemStackError; :fiber; end }
p f.resume
p Thread.new { begin; forever(0); rescue SystemStackError; :thread; end }.value
def ensure_runs(n)
  ensure_runs(n + 1)
ensure
  $deepest = n if n > ($deepest || 0)
end
begin
  ensure_runs(0)
rescue SystemStackError
  p $deepest > 100
end
deep = 2000.times.inject([]) { |inner, _| [inner] }
p deep.flatten, deep.inspect.size, deep.hash == deep.hash, (1..3000).inject { |m, v| m + v }
