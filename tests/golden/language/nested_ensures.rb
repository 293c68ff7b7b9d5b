# ensure bodies inside ensure bodies, and all ways out of them.
def log(x) = ($log << x; nil)
def run(src, n)
  $log = []
  v = begin; eval(src); rescue Exception => e; [e.class, e.message]; end
  p [n, v, $log.size, $log.first(12), $!]
end
[1, 3, 4, 5].each do |n|
  run("def m1; " + "begin; log(1); return 1; ensure; log(2); " * n + "return 2; " + "end; " * n + "end; m1", [:a, n])
  run("def m2; " + "begin; log(1); return 1; ensure; log(2); " * n + "end; " * n + "end; m2", [:b, n])
  run("def m3; r = " + "begin; log(1); 7; ensure; log(2); " * n + "end; " * n + " log(:after); r; end; m3", [:c, n])
  run("def m4; " + "while true; begin; log(1); break 5; ensure; log(2); " * n + "end; end; " * n + "end; m4", [:d, n])
  run("def m5; " + "begin; log(1); raise 'x'; ensure; log($!.inspect); " * n + "end; " * n + "end; m5", [:e, n])
  run("def m6; " + "begin; begin; log(1); raise 'x'; rescue; log($!.message); return 3; end; ensure; log(2); " * n + "end; " * n + "end; m6", [:f, n])
  run("def m7; i = 0; " + "while (i += 1) < 3; begin; log(i); next; ensure; log(:n); " * n + "end; end; " * n + "[i, 9]; end; m7", [:g, n])
  run("def m8; x = [1, 2].map { |y| " + "begin; log(y); next y * 2; ensure; log(:e); " * n + "end; " * n + "}; x; end; m8", [:h, n])
  run("def m9; [1, 2].each { |y| " + "begin; log(y); break y * 2; ensure; log(:e); " * n + "end; " * n + "}; end; m9", [:i, n])
  run("def m10; " + "begin; log(1); x = 5; return x; ensure; x = 6; log(2); " * n + "end; " * n + "end; m10", [:j, n])
  run("def m11; k = 0; " + "begin; k += 1; raise 'r' if k < 3; log(k); rescue; log(:rescue); retry; ensure; log(2); " * n + "end; " * n + " k; end; m11", [:k, n])
  run("def m12; l = lambda { " + "begin; log(1); return 4; ensure; log(2); " * n + "end; " * n + "}; [l.call, 3]; end; m12", [:l, n])
  run("def m13; [1].each { " + "begin; log(1); return 4; ensure; log(2); " * n + "end; " * n + "}; end; m13", [:m, n])
  run("def m14; catch(:t) { " + "begin; log(1); throw :t, 4; ensure; log(2); " * n + "end; " * n + "}; end; m14", [:n, n])
  run("def m15; v = foo(1, begin; 2; ensure; " + "begin; log(1); 4; ensure; log(2); " * n + "end; " * n + "end, 3); end; def foo(*a) = a; m15", [:o, n])
  run("def m16; " + "begin; log(1); ensure; begin; raise 'a'; rescue; log($!.message); end; " * n + "end; " * n + "$!; end; m16", [:p, n])
  run("def m17; begin; raise 'outer'; rescue; " + "begin; log($!.message); next_thing = 1; ensure; log($!.message); " * n + "end; " * n + " log($!.message); 8; end; end; m17", [:q, n])
end
# An ensure body that begins with one without any code, reached by an error.
run("def m18; begin; raise 'x'; ensure; begin; 2; ensure; 1; end; end; end; m18", :r)
run("def m19; [*begin; raise 'x'; ensure; (begin; defined?(@p); ensure; 1; end); end]; end; m19", :s)
run("def m20; begin; raise 'x'; rescue; begin; ensure; log(1); end; end; end; m20", :t)
run("def m21; begin; begin; raise 'x'; ensure; begin; ensure; begin; ensure; 1; end; end; end; rescue; log(2); 7; end; end; m21", :u)
