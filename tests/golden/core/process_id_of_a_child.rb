# oracle: native
# The number of the process, and the numbers that `rand` draws, in a child.
me = Process.pid
r, w = IO.pipe
child = fork { w.puts Process.pid; w.puts $$; exit!(0) }
Process.wait child
w.close
p r.read.split.map(&:to_i).uniq == [child], Process.pid == me, child != me
srand(5)
first = rand(1000)
reader, writer = IO.pipe
fork { writer.puts Process.pid == me, 3.times.map { rand(2**60) }.join(" "); exit!(0) }
Process.wait
writer.close
is_parent, drawn = reader.read.lines(chomp: true)
p is_parent, drawn == 3.times.map { rand(2**60) }.join(" ")
srand(5)
p rand(1000) == first
