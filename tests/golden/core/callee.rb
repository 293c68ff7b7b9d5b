# What `__callee__` says in methods with several names, however they are called.
class A
  def |(o) = __callee__
  alias_method :&, :|
  alias_method :+, :|
  def foo(*) = [__method__, __callee__]
  alias bar foo
  alias baz bar
  def each(*) = (yield __callee__)
  alias every each
  def to_s = __callee__.inspect
  alias inspect to_s
  def <=>(o) = ($seen << __callee__; 0)
  alias == <=>
  def call(*) = __callee__
  alias === call
  alias [] call
  def to_proc = (c = __callee__; proc { c })
  def method_missing(n, *) = [n, __callee__]
  def respond_to_missing?(*) = true
  define_method(:dm) { |*| [__method__, __callee__] }
  alias dm2 dm
  def lam(*) = [-> { __callee__ }.call, [1].map { __callee__ }]
  alias lam2 lam
  def initialize(*) = @c = __callee__
  attr_reader :c
  alias_method :init2, :initialize
  public :init2
  def hash = ($seen << __callee__; 1)
  def eql?(o) = ($seen << __callee__; true)
end
class B < A
  def |(o) = [:b, super]
  def &(o) = [:b, super]
  def bar(*) = super
  def baz(*) = [super, __callee__]
  alias qux baz
end
a = A.new
$seen = []
p a & 1, a | 1, a + 1
p [a, 1].inject(:&), [a, 1].inject(:+), [a, 1].reduce { |x, y| x & y }, [a, 1].sum { 1 }, [1].inject(a, :&), [1].each_with_object(a).map { |x, y| y & x }
p a.send(:&, 1), a.public_send(:&, 1), a.__send__(:bar), a.method(:&).call(1), a.method(:bar).unbind.bind(a).call, a.method(:bar).to_proc.call, a.method(:bar).unbind.bind_call(a)
p [a].map(&:bar), [a].map(&:foo), [a].each_entry.map(&:baz), %i[foo bar baz].map { |m| a.send(m) }
a.every { |x| p x }; a.each { |x| p x }; p a.enum_for(:every).to_a, a.to_enum(:each).next
p a, a.inspect, "#{a}"
p [a].sum { 0 }, (a == 1), (case 1 when a then 1 end), a[1], a.(1)
p a.dm, a.dm2, a.lam, a.lam2, A.new.c, a.init2, a.zork(1)
b = B.new
p b | 1, b & 1, b.bar, b.baz, b.qux, [b, 1].inject(:&)
[a, a].sort; [a, A.new].max; [a, A.new].uniq; p $seen
module M; def m = __callee__; alias n m; module_function :m, :n; end
p M.n, M.m, Class.new { include M; public :n }.new.n
p Class.new(String) { def to_str2 = __callee__; alias to_x to_str2 }.new.then(&:to_x)
p a.instance_eval { bar }, a.instance_exec(1) { bar }, A.instance_method(:bar).bind_call(a), a.tap { |x| x.bar }.then(&:bar)
o = Object.new; def o.s = __callee__; o.singleton_class.alias_method(:t, :s); p o.t, [o].map(&:t), o.method(:t).call
p Comparable.instance_method(:clamp).name, a.method(:bar).name, a.method(:bar).original_name
class C; def k(a, b = __callee__, c: __callee__) = [a, b, c]; alias l k; def r(...) = k(...); alias s r; def blk(&b) = b.call; end
p C.new.l(1), C.new.s(2), C.new.blk { __callee__ }
p a.method(:bar).curry(1)[0], (a.method(:bar) >> ->(x) { x }).call
at = [a].lazy.map(&:bar).first; p at
p [[a, 1]].map { |x, y| x & y }, { a => 1 }.map { |k, v| k & v }
def top = __callee__
alias top2 top
p top2, send(:top2), method(:top2).call
