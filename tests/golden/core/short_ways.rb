# What is done in a short way where the operands allow it, beside the operands that do not.
p [3,1,2].sort { |a,b| b<=>a }, [1,2,3].sort { |a,b| b<=>a }, (1..50).to_a.shuffle.sort { |a,b| a<=>b } == (1..50).to_a
p (1..30).to_a.sort { |a, b| 0 } == (1..30).to_a
begin; [3,"a"].sort; rescue => e; p e.class, e.message; end
begin; [3,1].sort { nil }; rescue => e; p e.class, e.message; end
p (1..20).sort { |a,b| (a<=>b) * 2.5 }
p (1..20).sort { |a,b| 2**70 * (b <=> a) }
p [5,3,1].zip(1..), [1,2].zip({a: 1}, [3].each, 5..6)
begin; [1].zip(5); rescue => e; p e.class, e.message; end
p [].zip(5) rescue p $!.class
p [1,2].zip(Class.new { def each; yield 1, 2; yield; yield 3; end }.new)
p 12.gcd(18), 12.lcm(-18), (2**70).gcd(12), 12.gcd(2**70), (2**62).lcm(3), 0.gcd(2**80), (-2**62).gcd(-2**62), (2**61).lcm(2**61+1), 0.lcm(5), (2**80).gcd(0)
p "hello".tr('a-y', 'b-z'), "hello".tr('^l', '*'), "héllo".tr('é', 'e'), "hello".tr('el', 'é'), "abc".tr("a-c", "A"), "a\xffb".b.tr("\xff".b, "x"), "hello".delete("l-o"), "hello".squeeze("l"), "hello world".count("lo", "o"), "aa\u00e9\u00e9".squeeze, "h\u00e9".encode("ISO-8859-1").tr("e-\u00ff".encode("ISO-8859-1"), "x")
p "%.2f" % 2.675, "%.0f" % 0.5, "%.0f" % 1.5, "%.1f" % 0.25, "%.3f" % 1e15, "%.10f" % 0.1, "%5.1f|" % 9.95, "%#.0f" % 3.0, "%.2f" % -0.001, "%+.1f" % 2.25, "%.19f" % 0.1
p Set[3,1].to_a, {a: 1, b: 2}.tap { |h| h.delete(:a) }.keys, {a: 1, b: 2}.tap { |h| h.delete(:a) }.values
