# Ractors that talk all the time, come and go, and are collected meanwhile.
# flags: -W0
def report(name, values) = puts("#{name}: #{values.inspect}")
Point = Struct.new(:x, :y)
Rec = Data.define(:name, :list)

# A pipeline of copies.
stages = 3.times.map { Ractor.new { loop { to, m = Ractor.receive; break :ended if m.nil?; m[:path] << Ractor.current.name.to_s.size; to << m } } }
port = Ractor::Port.new
got = 100.times.map { |i|
  m = { path: [], data: [Point.new(i, "s#{i}" * 20), Rec.new("r", (0..i).to_a), { "k" => [1.5, nil, :sym, 2**70] }], text: "t" * (i * 3) }
  stages.each { |s| s << [port, m]; m = port.receive }
  [m[:path].size, m[:data][0].y.size, m[:data][1].list.sum, m[:text].size]
}
stages.each { |s| s << [port, nil] }
report "pipeline", [got.map(&:first).uniq, got.sum { |g| g[1] }, got.sum { |g| g[2] }, got.sum { |g| g[3] }, stages.map(&:value)]

# Many senders, one port.
port = Ractor::Port.new
senders = 4.times.map { |n| Ractor.new(port, n) { |to, n| 300.times { |i| to << [n, i, "text #{i}", { i => [n] }] }; n } }
sums = Hash.new(0)
1200.times { n, i, s, h = port.receive; sums[n] += i + s.size + h[i][0] }
report "fan in", [sums.sort, senders.map(&:value)]

# Moving.
r = Ractor.new { loop { from, x = Ractor.receive; break x if x == :end; x << "!"; from.send([x], move: true) } }
port = Ractor::Port.new
report "moving", 200.times.sum { |i| s = "moved #{i}" * 10; r.send([port, s], move: true); port.receive[0].size }
r << [port, :end]
report "moved", r.value

# Short lives.
report "short lives", 150.times.sum { |i| Ractor.new(i) { |n| Array.new(100) { |k| "#{k}" }; n }.value }
report "nests", 10.times.map { |i| Ractor.new(i) { |n| Ractor.new(n) { |k| ["deep", k] }.value << Ractor.new { [1] * 3 }.value } }.map(&:value).last

# Values that outlive their Ractor.
kept = 20.times.map { |i| Ractor.new(i) { |n| [Point.new(n, "y" * n), { n => "v" }, (1..n).map { |k| "e#{k}" }, proc { n * 2 }] } }.map(&:value)
GC.start
3.times { Ractor.new { Array.new(2000) { |i| "garbage #{i}" }; GC.start }.join }
report "kept", kept.sum { |p, h, l, q| p.y.size + h.size + l.join.size + q.call }

# A worker pool over select.
workers = 3.times.map { |n| Ractor.new(n) { |n| (1..200).sum { |i| [i, n].hash ? i * n : 0 } } }
results = []
until workers.empty?
  w, v = Ractor.select(*workers)
  workers.delete(w)
  results << v
end
report "select", results.sort

# Errors cross over whole.
errors = 20.times.map { |i| Ractor.new(i) { |n| Thread.current.report_on_exception = false; raise ArgumentError, "error #{n}" } }
report "errors", errors.map { |e| e.value rescue [$!.cause.message, $!.cause.backtrace.size > 0, $!.ractor == e] }.uniq { |m, *rest| [m.size, *rest] }

# Shareable data read by all.
TABLE = Ractor.make_shareable((0...200).to_h { |i| ["key #{i}", [i, "value #{i}", { nested: [i] }]] })
report "shared", 4.times.map { Ractor.new { 30.times.sum { TABLE.sum { |k, (i, v, h)| k.size + v[0, 5].size + h[:nested][0] + (TABLE["key #{i}"][1].encoding == Encoding::UTF_8 ? 1 : 0) } } } }.map(&:value)
HANDLER = Ractor.shareable_proc { |x| [x].map { |y| y + 1 }[0] }
report "shared proc", 4.times.map { Ractor.new { 3000.times.inject(0) { |s, i| HANDLER.call(s) } } }.map(&:value) + [3000.times.inject(0) { |s, _| HANDLER.(s) }]

# Class fields: one writes, others read.
class Settings; class << self; attr_accessor :level; end; @level = 0; end
readers = 3.times.map { Ractor.new { last = 0; level = 0; 5000.times { level = Settings.level; raise "backwards" if level < last; last = level }; :ok } }
2000.times { |i| Settings.level = i; Settings.instance_variable_set(:"@extra_#{i}", i) if i % 10 == 0 }
report "class fields", readers.map(&:value)
report "count", Ractor.count
