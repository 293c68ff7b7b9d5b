# Loads the benchmark named on the command line, then says on standard error how many objects it allocated.
before = GC.stat(:total_allocated_objects)
load File.expand_path(ARGV.shift)
$stderr.puts "objects: #{GC.stat(:total_allocated_objects) - before}"
