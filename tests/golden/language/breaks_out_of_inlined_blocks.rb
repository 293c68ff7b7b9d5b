# oracle: native
# `break`, `return`, `next`, `redo` and exceptions of blocks, of methods with and without handlers around the yield, in loops long
# enough to be compiled.
LOG = []
def log(x) = (LOG << x; x)
def shown
  text = LOG.first(12).inspect + (LOG.size > 12 ? " of #{LOG.size}" : "")
  LOG.clear
  text
end

def plain = yield(1)
def rescuing
  yield 1
rescue ArgumentError => e
  log([:rescued, e.message])
  -1
end
def in_rescue
  raise ArgumentError, "in"
rescue ArgumentError
  yield 2
  log($!.message)
end
def ensuring
  yield 3
ensure
  log(:ensured)
end
def around_ensure
  begin
    log(:inside)
  ensure
    log(:after)
  end
  yield 4
end
def else_part
  log(:body)
rescue
  log(:never)
else
  yield 5
ensure
  log(:last)
end
def retrying
  n = 0
  begin
    n += 1
    yield n
    raise IndexError if n < 3
    n
  rescue IndexError
    retry
  end
end
def passing(&block) = rescuing(&block)
def nested = plain { |x| rescuing { |y| yield x + y } }
def looping = loop { yield 6 }
def each_of(list)
  list.each { |x| yield x }
  :all
end
def in_while
  i = 0
  while i < 3
    begin
      yield i
    rescue KeyError
      log(:key)
    end
    i += 1
  end
  :done
end
METHODS = %i[plain rescuing in_rescue ensuring around_ensure else_part retrying passing nested looping in_while]
def through(name, how, n)
  results = []
  n.times do |i|
    results << case name
    when :plain then by(how, i) { |b| plain(&b) }
    when :rescuing then by(how, i) { |b| rescuing(&b) }
    when :in_rescue then by(how, i) { |b| in_rescue(&b) }
    when :ensuring then by(how, i) { |b| ensuring(&b) }
    when :around_ensure then by(how, i) { |b| around_ensure(&b) }
    when :else_part then by(how, i) { |b| else_part(&b) }
    when :retrying then by(how, i) { |b| retrying(&b) }
    when :passing then by(how, i) { |b| passing(&b) }
    when :nested then by(how, i) { |b| nested(&b) }
    when :looping then by(how, i) { |b| looping(&b) }
    else by(how, i) { |b| in_while(&b) }
    end
  end
  results
end
def by(how, i)
  yield proc { |x| how == :next ? (next i) : raise((how == :key ? KeyError : ArgumentError), "no #{x}") }
rescue => e
  [e.class, e.message]
end
METHODS.each do |name|
  %i[next argument key].each do |how|
    next if name == :looping && how == :next || name == :retrying && how == :key
    r = through(name, how, 60)
    puts "#{name} #{how}: #{r.uniq.first(3).inspect} #{$!.inspect} #{shown}"
  end
end

# Each in one method, by literal blocks.
def b_plain(i) = plain { |x| break i + x }
def b_rescuing(i) = rescuing { |x| break i + x }
def b_in_rescue(i) = in_rescue { |x| break i + x }
def b_ensuring(i) = ensuring { |x| break i + x }
def b_around(i) = around_ensure { |x| break i + x }
def b_else(i) = else_part { |x| break i + x }
def b_retrying(i) = retrying { |x| break i if x == 2 }
def b_nested(i) = nested { |x| break i + x }
def b_looping(i) = looping { |x| break i + x }
def b_while(i) = in_while { |x| break i if x == 1 }
def b_each(i) = each_of([1, 2, 3]) { |x| break x + i if x == 2 }
def b_pair(i) = { a: i }.each { |k, v| break [k, v] }
def b_two(i) = plain { |x| plain { |y| break i + y } + x }
def b_loops(i) = loop { loop { break }; break i }
def b_inner_ensure(i)
  plain do |x|
    begin
      break i + x
    ensure
      log(:own)
    end
  end
end
def b_inner_rescue(i)
  rescuing do |x|
    begin
      raise "e#{i}"
    rescue => e
      break [e.message, x]
    end
  end
end
def r_plain(i)
  plain { |x| return i + x }
  :never
end
def r_rescuing(i)
  rescuing { |x| return i + x }
  :never
end
def r_ensuring(i)
  ensuring { |x| return i + x }
  :never
end
def r_own_ensure(i)
  plain { |x| return i + x }
ensure
  log(:mine)
end
def r_behind_ensure(i)
  begin
    log(:in)
  ensure
    log(:out)
  end
  plain { |x| return i + x }
end
def r_in_rescue(i)
  raise "r"
rescue
  plain { |x| return i + x }
end
def r_nested(i)
  nested { |x| each_of([1, 2]) { |y| return i + x + y } }
  :never
end
def r_while(i)
  in_while { |x| return x + i if x == 1 }
  :never
end
def r_loop(i)
  n = 0
  loop do
    n += 1
    return n + i if n > 3
    next if n == 2
  end
end
def r_each_with_index(i) = [5, 6].each_with_index { |x, j| return x + i if j == 1 }
def r_times(i)
  5.times { |j| return j * i if j == 3 }
  :never
end
def r_upto(i)
  1.upto(9) { |j| 1.step(9, 2) { |k| return [j, k, i] if j * k > 12 } }
end
class Made
  attr_reader :value
  def initialize(i)
    @value = :before
    [1, 2].each do |x|
      @value = x + i
      return :ignored if x == 1
    end
    @value = :after
  end
end
def n_made(i) = Made.new(i).value
define_method(:d_break) { |i| plain { |x| break x + i } } rescue self.class.define_method(:d_break) { |i| plain { |x| break x + i } }
self.class.send(:define_method, :d_return) { |i| plain { |x| return x + i }; :never }
self.class.send(:define_method, :d_direct) { |i| return i + 1 if i >= 0; :never }
def stop_iteration(i)
  e = [1, 2, i].each
  sum = 0
  r = loop { sum += e.next }
  [r, sum]
end
def stop_result(i) = loop { raise StopIteration, "x" if i > 1; break i }
ALL = %i[b_plain b_rescuing b_in_rescue b_ensuring b_around b_else b_retrying b_nested b_looping b_while b_each b_pair b_two b_loops
         b_inner_ensure b_inner_rescue r_plain r_rescuing r_ensuring r_own_ensure r_behind_ensure r_in_rescue r_nested r_while r_loop
         r_each_with_index r_times r_upto n_made d_break d_return d_direct stop_iteration stop_result]
eval ALL.map { |m| "def hot_#{m}(n)\n  r = nil\n  i = 0\n  while i < n\n    r = #{m}(i)\n    i += 1\n  end\n  r\nend\n" }.join
ALL.each do |m|
  results = [send(:"hot_#{m}", 5), send(:"hot_#{m}", 2000)]
  puts "#{m}: #{results.inspect} #{$!.inspect} #{shown}"
end

# What is left, and where: backtraces through inlined methods with handlers.
def raising(i) = rescuing { |x| raise "deep" if i == 1999; x }
def trace(n)
  i = 0
  while i < n
    raising(i)
    i += 1
  end
rescue => e
  e.backtrace.map { |l| l[/\d+:in .*/] }
end
p trace(2000)
def raised_in_loop(n)
  i = 0
  loop do
    i += 1
    raise StopIteration if i == n
    raise TypeError, "at #{i}" if i == 1500
  end
  i
end
p raised_in_loop(1000), (raised_in_loop(3000) rescue [$!.class, $!.message, $!.backtrace.map { |l| l[/\d+:in .*/] }])
# Procs that outlive what they break from.
def keep(&b) = b
def orphan = keep { break 1 }
p (orphan.call rescue [$!.class, $!.message])
def maker = proc { return 2 }
p (maker.call rescue [$!.class, $!.message])
def later(n)
  saved = nil
  n.times { |i| plain { |x| saved = -> { binding.local_variables.size + x }; break } }
  saved.call
end
p later(1000)
# Throws, exits of threads and fibers.
def thrown(i) = catch(:done) { loop { plain { throw :done, i } } }
p (0..1000).sum { |i| thrown(i) }
p Thread.new { r = 0; 1000.times { |i| r += plain { |x| break x + i } }; r }.value
fiber = Fiber.new { loop { rescuing { |x| Fiber.yield x; break } }; :over }
p fiber.resume, fiber.resume
# `return` in blocks of class bodies, `eval` and scripts.
def of_eval
  eval "i = 0; while i < 300_000; [i].each { |x| return x if x == 299_999 }; i += 1; end; :eval_value"
  :method_value
end
p of_eval
begin
  class Body
    i = 0
    while i < 300_000
      [i].each { |x| return x if x == 299_999 }
      i += 1
    end
  end
  puts "behind the class"
rescue LocalJumpError => e
  puts e.message
end
