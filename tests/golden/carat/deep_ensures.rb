# CRuby compiles an ensure body for each way out of it, which does not end here.
n = 60
log = []
define_singleton_method(:log) { |x| log << x }
eval("def returns; " + "begin; log(1); return 1; ensure; log(2); " * n + "return 2; " + "end; " * n + "end")
p returns, log.size
log.clear
eval("def ends; r = " + "begin; log(1); 7; ensure; log(2); " * n + "end; " * n + " log(:after); r; end")
p ends, log.size, log.last
log.clear
eval("def loops; " + "while true; begin; log(1); break 5; ensure; log(2); " * n + "end; end; " * n + "end")
p loops, log.size
log.clear
eval("def raises; " + "begin; log(1); raise 'x'; ensure; log($!.message); " * n + "end; " * n + "end")
p((raises rescue $!.message), log.size, $!)
