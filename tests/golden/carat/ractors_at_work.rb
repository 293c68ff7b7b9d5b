# Many Ractors at once: each does a lot of one thing that they share under the hood.
# flags: -W0
$stdout.sync = true
def report(name, values) = puts("#{name}: #{values.inspect}")

COUNT = 4

report "strings", COUNT.times.map { |n| Ractor.new(n) { |n|
  list = []
  3000.times { |i| list << "string #{i} of #{n}" * 3 }
  list.map(&:size).sum
} }.map(&:value)

report "arrays", COUNT.times.map { |n| Ractor.new(n) { |n|
  (0...300).map { |i| (0..i).to_a.map { |x| x * n }.reverse.sort.last }.sum
} }.map(&:value)

report "hashes", COUNT.times.map { |n| Ractor.new(n) { |n|
  hash = {}
  5000.times { |i| hash["k#{i % 700}"] = [i, n]; hash.delete("k#{i % 31}") }
  hash.size + hash.sum { |k, (i, m)| k.size + m }
} }.map(&:value)

report "symbols", COUNT.times.map { |n| Ractor.new(n) { |n|
  (0...3000).map { |i| :"sym_#{i}" }.map(&:object_id).uniq.size
} }.map(&:value)
same = 2.times.map { Ractor.new { (0...2000).map { |i| :"same_#{i}" } } }.map(&:value)
report "symbols alike", same[0] == same[1]

same = 2.times.map { Ractor.new { (0...2000).map { |i| -"fstring #{i}" } } }.map(&:value)
report "fstrings alike", same[0].zip(same[1]).all? { |a, b| a.equal?(b) }

class Growing; end
report "shapes", COUNT.times.map { |n| Ractor.new(n) { |n|
  500.times.sum { |i|
    object = Growing.new
    5.times { |k| object.instance_variable_set(:"@field_#{(i + k * n) % 60}", k) }
    object.instance_variables.sum { |name| object.instance_variable_get(name) }
  }
} }.map(&:value)

report "fields of strings", COUNT.times.map { Ractor.new {
  1000.times.sum { |i| s = +"x"; s.instance_variable_set(:@a, i); s.instance_variable_set(:@b, s); s.instance_variable_get(:@a) }
} }.map(&:value)

class Target; def answer = 0; end
definers = 2.times.map { |n| Ractor.new(n) { |n|
  300.times { |i| Target.class_eval("def answer = #{i * 2}; def only_#{n}_#{i} = #{i}") }
  :defined
} }
callers = 2.times.map { Ractor.new { t = Target.new; 20_000.times.all? { t.answer.even? } } }
report "definitions", (definers + callers).map(&:value)
report "defined", Target.new.answer + (0...300).sum { |i| Target.new.public_send(:"only_0_#{i}") + Target.new.public_send(:"only_1_#{i}") }

report "classes", COUNT.times.map { |n| Ractor.new(n) { |n|
  200.times.map { |i| c = Class.new(Target) { define_singleton_method(:n) { i } if false; def n = 1 }; m = Module.new { def m = 2 }; c.include(m); c.new.n + c.new.m }.sum
} }.map(&:value)

report "constants", COUNT.times.map { |n| Ractor.new(n) { |n|
  200.times { |i| Target.const_set(:"C_#{n}_#{i}", i) }
  200.times.sum { |i| Target.const_get(:"C_#{n}_#{i}") }
} }.map(&:value)

report "raising", COUNT.times.map { Ractor.new {
  1000.times.count { begin; [nil, 1, "x"].sample.foo; rescue NoMethodError => e; e.message && e.backtrace.size > 0; end }
} }.map(&:value)

report "regexps", COUNT.times.map { |n| Ractor.new(n) { |n|
  1000.times.count { |i| "line #{i} of #{n}" =~ /(\d+) of (?<n>\d+)/ && $~["n"].to_i == n } 
} }.map(&:value)

report "numbers", COUNT.times.map { Ractor.new { (1..150).inject(:*).to_s.size + (1..100).sum { |i| (2r / i).denominator } } }.map(&:value)
report "floats", COUNT.times.map { Ractor.new { (1..1000).sum { |i| 1e200 / i }.to_s.size } }.map(&:value)
report "threads inside", COUNT.times.map { Ractor.new { q = Queue.new; 4.times.map { |i| Thread.new { 50.times { |k| q << k * i; Thread.pass } } }.each(&:join); q.size } }.map(&:value)
report "fibers inside", COUNT.times.map { Ractor.new { f = Fiber.new { 100.times { |i| Fiber.yield i }; nil }; s = 0; while (x = f.resume); s += x; end; s } }.map(&:value)
report "enumerators", COUNT.times.map { Ractor.new { e = (1..50).each; s = 0; loop { s += e.next }; s } }.map(&:value)
report "structs", COUNT.times.map { Ractor.new { c = Struct.new(:a, :b); 100.times.sum { |i| c.new(i, 2).to_a.sum } } }.map(&:value)
report "eval", COUNT.times.map { |n| Ractor.new(n) { |n| 50.times.sum { |i| eval("x = #{i}; x * n") } } }.map(&:value)
report "format", COUNT.times.map { |n| Ractor.new(n) { |n| 500.times.sum { |i| format("%05d-%s-%x", i, "ab", i).size } } }.map(&:value)
report "gc", COUNT.times.map { Ractor.new { 5.times { GC.start; Array.new(1000) { |i| "s#{i}" } }; :ok } }.map(&:value)
