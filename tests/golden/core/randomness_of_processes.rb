# oracle: native
# Forked children draw numbers of their own; hashes of numbers and symbols differ from process to process.
def in_child
  r, w = IO.pipe
  pid = fork { w.write yield.inspect }
  w.close
  Process.wait(pid)
  r.read
end
rand
p 2.times.map { in_child { rand } }.uniq.size
p 2.times.map { in_child { [*1..50].shuffle } }.uniq.size
srand(42)
p 2.times.map { in_child { [rand(2**64), Random.rand(2**64), [*1..50].sample(20)] } }.uniq.size
p 3.times.map { in_child { in_child { rand } } }.uniq.size
srand(42)
first = rand
srand(42)
in_child { rand }
p rand == first, in_child { srand(7); rand } == in_child { srand(7); rand }

program = "p [1.hash, :a.hash, 1.5.hash, 'a'.hash, [1].hash, (2**70).hash, (1..2).hash, {a: 1}.hash, 1r.hash]"
executable = File.exist?("/proc/self/exe") ? File.readlink("/proc/self/exe") : RbConfig.ruby
p 2.times.map { eval IO.popen([executable, "-e", program], &:read) }.transpose.map { |a, b| a == b }
p 1.hash == 1.hash, 1.5.hash == 1.5.hash, :a.hash == :a.hash, [1, [2.0]].hash == [1, [2.0]].hash, 1.eql?(1.0), {1 => 2}[1], {1.0 => 2}[1.0]
h = (1..1000).to_h { |i| [i * 4096, i] }
p h[4096], h[4096 * 1000], h.size, (1..200).to_h { [:"s#{_1}", _1] }[:s150]
