# oracle: native
# Keywords that `yield`, `...` and `new` hand to named parameters, in any order, too few, too many, and given as objects of a Hash.

def said
  p yield
rescue ArgumentError => error
  puts "#{error.class}: #{error.message}"
end

# ---- yield ----

def both(x, y) = yield(x, b: y, a: x + y)
def alone(y) = yield(b: y)
def listed(list, y) = yield(*list, b: y)
def through(...) = both(...)
def handed(&block) = both(5, 6, &block)

3.times do |i|
  said { both(i, 2) { |x, a:, b:| [x, a, b] } }
  said { both(i, 2) { |x, b:, a:, c: [a, b], d: nil| [x, a, b, c, d] } }
  said { both(i, 2) { |x, b:, a:, &block| y = (z = 1 if x == 9); [x, a, b, block, y, z] } }
  said { both(i, 2) { |x, z, a:, b:| [x, z, a, b] } }
  said { both(i, 2) { |a:, b:| [a, b] } }
  said { both([i, 7], 2.then { [_1] }) { |x, a:, b:| [x, a, b] } }
  said { both(i, 2) { |x, b:| [x, b] } }
  said { both(i, 2) { |x, a:, b:, c:| [x, c] } }
  said { both(i, 2) { |x, a:, **rest| [x, a, rest] } }
  said { both(i, 2) { |x = 8, a:, b:| [x, a, b] } }
  said { both(i, 2) { |x, *y, a:, b:| [x, y, a, b] } }
  said { both(i, 2) { |x, **nil| x } }
  said { both(i, 2) { |x| x } }
  said { both(i, 2) { |x, y| [x, y] } }
  said { both(i, 2, &lambda { |x, a:, b: 0| [x, a, b] }) }
  said { both(i, 2, &lambda { |x, y, a:, b: 0| [x, y, a, b] }) }
  said { both(i, 2, &proc { |x, b:, a:| [x, a, b] }) }
  said { alone(i) { |b:| b } }
  said { alone(i) { |x, b: 3| [x, b] } }
  said { listed([i, 4], 5) { |x, y, b:| [x, y, b] } }
  said { through(i, 3) { |x, a:, b:| [x, a, b] } }
  said { handed { |x, b:, a:| [x, a, b] } }
end

many = proc { |a:, b:, c:, d:, e:, f:, g:, h:| [a, b, c, d, e, f, g, h] }
more = proc { |a:, b:, c:, d:, e:, f:, g:, h:, i:| [a, b, c, d, e, f, g, h, i] }
def eight = yield(h: 1, g: 2, f: 3, e: 4, d: 5, c: 6, b: 7, a: 8)
def nine = yield(i: 0, h: 1, g: 2, f: 3, e: 4, d: 5, c: 6, b: 7, a: 8)
2.times do
  said { eight(&many) }
  said { eight(&more) }
  said { nine(&more) }
  said { nine(&many) }
end

# What is yielded stays the block's own, whatever it stores.
kept = []
3.times { |i| both(i, i) { |x, a:, b:| kept << -> { [x += 1, a += 1, b += 1] } } }
2.times { p kept.map(&:call) }

# Another block at the same yield.
blocks = [proc { |x, a:, b:| [1, x, a, b] }, proc { |x, b:, a:| [2, x, a, b] }, proc { |x, **k| [3, x, k] }, proc { |x| [4, x] }]
8.times { |i| said { both(i, 1, &blocks[i % 4]) } }

# ---- ... to names ----

def target(a, b = :none, x:, y: [a, b], &block) = [a, b, x, y, block&.call]
def forward(...) = target(...)
def forward_more(...) = target(:first, ...)
def splats(*list, **hash, &block) = target(*list, **hash, &block)
def rest(a, **keywords) = keywords
def forward_rest(...) = rest(...)

3.times do
  said { forward(1, x: 2) }
  said { forward(1, 2, y: 3, x: 4) }
  said { forward(1, y: 3, x: 4) { 5 } }
  said { forward(1, y: nil, x: false) }
  said { forward_more(2, x: 3) }
  said { forward(x: 3) }
  said { forward(1, 2, 3, x: 4) }
  said { forward(1, y: 4) }
  said { forward(1, x: 1, z: 2) }
  said { forward(1, x: 1, z: 2, w: 3) }
  said { forward(1, "x" => 1) }
  said { forward(1, x: 1, "y" => 2) }
  said { forward(1) }
  said { splats(1, x: 2) }
  said { splats(1, 2, y: 2, x: 1) { 3 } }
  said { splats(*[1, 2], **{x: 3, y: 4}) }
  said { splats({x: 1}) }
  said { forward_rest(1, x: 2) }
end

# The hash of the caller's does not become the callee's.
given = {x: 1, y: [2]}
said { splats(1, **given) }
p given
identity = {}.compare_by_identity
identity[:x] = 1
identity["y".dup] = 2
said { splats(1, **identity) }
class Other < Hash; end
said { splats(1, **Other[x: 5]) }
defaulted = Hash.new { |_, key| "default #{key}" }
defaulted[:y] = 1
said { splats(1, **defaulted) }
forward(1) rescue puts $!.backtrace.first(2).map { |line| line[/\d+:in .*/] }

# ---- new ----

class Base
  def initialize(a, k: 1, l: [a, k]) = @values = [a, k, l]
  attr_reader :values
end
class Delegating < Base
  def initialize(...) = super
end
class Naming < Base
  def initialize(a, **options) = super
end
class Hashed
  def initialize(options) = @options = options
  def values = @options
end

def made(klass) = said { klass.new(1, k: 2).values }
def hashed = said { Hashed.new(k: 2, l: 3).values }
3.times { [Base, Delegating, Naming].each { |klass| made(klass) } }
2.times { hashed }
said { Delegating.new(1, m: 2).values }
said { Delegating.new(k: 2).values }

class Delegating
  def initialize(a, k:) = @values = [:changed, a, k]
end
class Hashed
  def initialize(k:, l: 0) = @options = [k, l]
end
2.times { made(Delegating); hashed }
class Hashed
  ruby2_keywords def initialize(*list) = @options = [list, Hash.ruby2_keywords_hash?(list.last)]
end
2.times { hashed }
class Delegating
  define_method(:initialize) { |*list, **options| super(*list, **options) }
end
2.times { made(Delegating) }

# Each block that is entered is told.
seen = []
trace = TracePoint.new(:b_call, :call) { |point| seen << [point.event, point.method_id] }
trace.enable { both(1, 2) { |x, a:, b:| x }; forward(1, x: 2); Delegating.new(1, k: 2) }
p seen.count([:b_call, nil]), seen.select { |event, _| event == :call }
