# instance_eval of text for objects that have no singleton class.
begin; 123.instance_eval("K = 1"); rescue TypeError => e; p e.message; end
begin; 123.instance_eval("def x = 1"); rescue TypeError => e; p e.message; end
begin; 123.instance_eval("@@x = 1"); rescue => e; p e.class, e.message; end
begin; :a.instance_eval("class KK; end"); p KK; rescue TypeError => e; p e.message; end
begin; nil.instance_eval("KN = 1"); p KN rescue p $!; p NilClass::KN; rescue TypeError => e; p e.message; end
begin; 1.5.instance_eval("KF = 1"); rescue TypeError => e; p e.message; end
begin; :a.instance_eval { KB = 1 }; p KB; rescue TypeError => e; p e.message; end
begin; :a.instance_eval { def zork = 1 }; p KB; rescue TypeError => e; p e.message; end
begin; 123.instance_eval("alias foo to_s"); rescue => e; p e.class, e.message; end
begin; 123.instance_eval("undef to_s"); rescue => e; p e.class, e.message; end
begin; 123.instance_eval("p self, Integer; self + 1") ; rescue => e; p e.class, e.message; end
begin; 123.instance_exec { KQ = 1 }; p KQ; rescue => e; p e.class, e.message; end
begin; p 123.instance_eval("defined?(K)");  rescue => e; p e.class, e.message; end
class Integer; Inner = 1; end
p 1.instance_eval("Inner"), 1.5.instance_eval("NAN.class")
p((1.instance_eval { Inner } rescue $!.class))
