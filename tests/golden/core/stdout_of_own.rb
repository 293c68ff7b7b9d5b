# What Kernel prints through an object of the program that has write only.
OLD = $stdout
class W; def initialize(l) = @l = l; def write(*a) = (@l << a; 1); end
class V; def initialize(l) = @l = l; def write(s) = (@l << s; 1); end
class U; def initialize(l) = @l = l; def write(s, *) = (@l << s; 1); def puts(*a) = (@l << [:puts, a]); end
steps = [-> { puts "a" }, -> { puts }, -> { puts ["b", ["c\n"]], nil }, -> { print "d", 1 }, -> { p 1 }, -> { p 1, "x" }, -> { p }, -> { putc "z" }, -> { putc 65 },
  -> { printf("%d", 3) }, -> { "disp".display }, -> { pp({a: 1}) }, -> { $stdout << "ap" }, -> { $stdout.puts "pub" }, -> { $stdout.send(:puts, "x") },
  -> { $stdout.send(:print, "y") }, -> { $stdout.send(:p, "y") }, -> { $stdout.printf "q" }, -> { warn "w" if false }, -> { $stdout.send(:putc, "b") }, -> { $stdout.send(:printf, "%s", "b") }, -> { Object.new.send(:puts, "o") }, -> { Kernel.puts "k" }]
[W, V, U].each do |c|
  log = []
  steps.each_with_index do |s, i|
    $stdout = c.new(log)
    begin s.call; rescue NoMethodError, ArgumentError, SystemStackError; log << [i, $!.class, $!.message]; ensure $stdout = OLD; end
  end
  log.each { p _1 }
end
log = []
$stdout = W.new(log)
puts "", [], [nil], "x\n", :sym, 1.5
print
print nil, "a", [1]
$stdout = OLD
p log
$VERBOSE = true
Warning[:deprecated] = true
$stderr = $stdout
$stdout = V.new(log = [])
puts "warned"
p 3
$stdout = OLD
p log
