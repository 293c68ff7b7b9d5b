# Deprecation warnings, shareable constants, bindings, argument errors and what special variables refuse.
Warning[:deprecated] = true
s = "lit"
s << "x"
t = :sym.to_s
t << "y"
p s, t, "a".frozen?, :b.to_s.frozen?
p (:upcase.to_proc.call("a")), :upcase.to_proc.lambda?, :upcase.to_proc.arity, :upcase.to_proc.parameters
class Q; protected def prot = 1; private def priv = 2; public def go = [Q.new].map(&:prot); def gop = ([Q.new].map(&:priv) rescue $!.message); end
p((Q.new.go rescue $!.message), Q.new.gop, ([Q.new].map(&:prot) rescue $!.message), ([Q.new].map(&:nope) rescue $!.message))
p((:upcase.to_proc.call rescue $!.message))
eval("# shareable_constant_value: literal\nZA = [1, 'x', {a: 'b'}]\np ZA.frozen?, ZA[1].frozen?, ZA[2].frozen?, Ractor.shareable?(ZA)")
begin; eval("# shareable_constant_value: literal\nZB = Object.new"); rescue => e; p e.class, e.message; end
eval("# shareable_constant_value: experimental_everything\nZC = [Object.new, 'z']\np ZC.frozen?, ZC[0].frozen?")
eval("# shareable_constant_value: experimental_copy\ntmp = ['z']; ZD = tmp\np ZD.frozen?, tmp.frozen?")
eval("# shareable_constant_value: literal\nZE ||= ['k']; p ZE.frozen?, ZE[0].frozen?")
def bb(a) = binding
b = bb(1)
b.local_variable_set(:zz, 5)
p b.local_variables, b.local_variable_get(:zz), b.eval("zz + a"), b.local_variable_defined?(:a), b.receiver
x = 1; pr = proc { |y| x }
p pr.binding.local_variables.first(3), pr.binding.local_variable_get(:x)
p((1 if (3==3)..(3==4)))
$, = nil
begin; $, = 1; rescue TypeError => e; p e.message; end
begin; $/ = 1; rescue TypeError => e; p e.message; end
begin; $; = 1; rescue TypeError => e; p e.message; end
begin; $stdout = 1; rescue TypeError => e; p e.message; end
begin; $~ = 1; rescue TypeError => e; p e.message; end
$_ = "q"; p $_
def kw(a, b = 2, *c, d:, e: 5, **f, &g); end
p method(:kw).arity, method(:kw).parameters
begin; kw; rescue ArgumentError => e; p e.message, e.backtrace.first[/in .*/]; end
begin; kw(1); rescue ArgumentError => e; p e.message; end
begin; kw(1, d: 1, **{"s" => 1}); p :ok; rescue ArgumentError => e; p e.message; end
def kk(a:); end
begin; kk(b: 1, a: 1, c: 2); rescue ArgumentError => e; p e.message; end
begin; kk(1); rescue ArgumentError => e; p e.message; end
begin; [].first(1,2); rescue ArgumentError => e; p e.message, e.backtrace.first[/in .*/]; end
begin; ->(a){}.call; rescue ArgumentError => e; p e.message, e.backtrace.first[/in .*/]; end
class MM; def method_missing(n, ...) = n == :foo ? [:mm, n] : super; def respond_to_missing?(*) = true; private def hid = 1; end
p MM.new.foo, (MM.new.hid rescue $!.message), (MM.new.bar rescue $!.message), MM.new.method(:zip).call.inspect rescue p $!
BEGIN { puts "begin" }
p __method__.inspect, __dir__.class
alias $newg $stdout
p $newg.equal?($stdout)
p [1,2,3].then { |a, *b| [a,b] }, [[1,[2,3]]].each { |a,(b,c)| p [a,b,c] }
case [1, {a: 2}]
in [Integer => i, {a:}] if a > 1 then p i, a
end
begin; case {a: 1}; in {a: String}; end; rescue NoMatchingPatternKeyError, NoMatchingPatternError => e; p e.class, e.message; end
begin; {a: 1} => {b: 2}; rescue NoMatchingPatternKeyError => e; p e.message, e.key, e.matchee; end
p defined?(@@x), defined?(super), defined?(yield)
