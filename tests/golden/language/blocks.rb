# Blocks, procs and lambdas: parameters, return values, closures and non-local exits.
def twice
  yield 1
  yield 2
end

def pair = yield(1, 2)
def list = yield([1, 2])
def nothing = yield

twice { |x| print x, " " }
puts
p pair { |a| a }, pair { |a, b| [a, b] }, pair { |a, b, c| [a, b, c] }, pair { |*a| a }
p list { |a| a }, list { |a, b| [a, b] }, list { |a, *b| [a, b] }, list { |a,| a }
p list { |(a, b)| [a, b] }, list { |a, k: 1| [a, k] }
p nothing { |a, b = 5, *c| [a, b, c] }

counter = 0
increment = -> { counter += 1 }
3.times(&increment.method(:call).unbind.bind(increment).to_proc) rescue 3.times { increment.() }
p counter

add = lambda { |a, b| a + b }
p add.call(1, 2), add.(1, 2), add[1, 2], add.yield(1, 2), add.curry[1][2]
loose = proc { |a, b| [a, b] }
p loose.call(1), loose.call(1, 2, 3), loose.call([1, 2]), loose.lambda?, add.lambda?
begin
  add.call(1)
rescue ArgumentError => error
  puts error.message
end

def early
  [1, 2, 3].each { |x| return x if x == 2 }
  :never
end

def lambda_return
  value = -> { return :inner }.call
  [value, :outer]
end

def proc_return
  proc { return :from_proc }.call
  :never
end
p early, lambda_return, proc_return

orphan = proc { return 1 }
def call_it(block) = block.call
begin
  def make_proc = proc { return 1 }
  call_it(make_proc)
rescue LocalJumpError => error
  p error.message, error.reason, error.exit_value
end

p [1, 2, 3, 4].each { |x| break x * 10 if x == 3 }
p [1, 2, 3].map { |x| next 0 if x == 2; x }
p (loop do break end)
p (while true do break 1, 2 end)

x = 10
[1].each { |i; x| x = i }
p x
y = 1
change = ->(by = y + 1, *more, k: by) { y += by; [by, more, k] }
p change.(), y, change.(5, 6, k: 7), y

compose = method(:Integer) >> ->(n) { n * 2 } << ->(s) { s + "0" }
p compose.call("2")
p %w[a b].map(&:upcase), [[1, 2], [3, 4]].map(&:sum), { a: 1 }.map { |k, v| [k, v] }
p :upcase.to_proc.call("x"), :+.to_proc.call(1, 2), :upcase.to_proc.lambda?, :upcase.to_proc.arity

def block_to_proc(&block) = block
stored = block_to_proc { |v| v.to_s * 2 }
p stored.call(4), block_to_proc.inspect
p [3, 1, 2].sort_by { -it }, [1, 2].each_with_object([]) { |v, memo| memo << v + 1 }
p block_given?, (def given = block_given?; given {}), given
def pass_on(&) = twice(&)
pass_on { |v| print v }
puts
p proc { |a, (b, c), d = 1| [a, b, c, d] }.call(1, [2, 3])
p proc { |a, b = 2, *c, d| [a, b, c, d] }.call(1, 9), lambda(&add).equal?(add)
p proc { it }.arity, proc { _1 + _2 }.arity, lambda { it }.parameters, lambda { [_1, _2] }.parameters
begin
  nothing_given = Object.new
  def nothing_given.go = yield
  nothing_given.go
rescue LocalJumpError => error
  p error.message
end
