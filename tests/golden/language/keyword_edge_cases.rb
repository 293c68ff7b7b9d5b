# Keywords where they meet hashes, splats, blocks, super, send, curry and method objects.
def both(*args, **keys, &block) = [args, keys, block&.call]
def opt(a, b = {}, **k) = [a, b, k]
def only(k: 1) = k
def required(k:, **) = k
h = { k: 2 }
s = { "k" => 3 }
p both(h), both(**h), both(*[h]), both(*[1, h]), both(**h, k: 5), both(**s), both(h, **h), both(**nil), both({}), both(**{})
p opt(1, h), opt(1, **h), opt(h), opt(1, { a: 1 }, b: 2), (opt(**h) rescue $!.message)
p only(**{}), only(**h), (only(h) rescue $!.message), (only(**s) rescue $!.message), required(k: 1, z: 2), (required(z: 1) rescue $!.message), (required("k" => 1) rescue $!.message)
def rest(*a) = a
p rest(k: 1), rest(**h), rest(**{}), rest(*[1], **{}), rest(1, **h), rest("s" => 1, k: 2)
def last_opt(a, b = nil) = [a, b]
p last_opt(k: 1), last_opt(1, k: 1), (last_opt(1, 2, k: 1) rescue $!.message)
def delegate(...) = both(...)
def delegate_named(*a, **k, &b) = both(*a, **k, &b)
def delegate_anonymous(*, **, &) = both(*, **, &)
p delegate(1, k: 2) { 3 }, delegate_named(1, k: 2) { 3 }, delegate_anonymous(1, k: 2) { 3 }, delegate(h), delegate(**h), delegate({ "x" => 1 }, y: 2)
p method(:both).call(1, k: 2), method(:both).to_proc.call(1, k: 2), send(:both, 1, k: 2), public_send(:then) { both(k: 1) }, [[1, { k: 2 }]].map { |a, k: 5| [a, k] }, [[1, { k: 2 }]].each { |a, **o| p [a, o] }
pr = proc { |a, b = 2, *c, k: 9, **o| [a, b, c, k, o] }
la = ->(a, k: 9, **o) { [a, k, o] }
p pr.call(1, k: 3), pr.call([1, 2, 3]), pr.call([1, { k: 3 }]), pr.call({ k: 3 }), la.call(1, k: 3, z: 1), (la.call(1, { k: 3 }) rescue $!.message), la.curry.(1)
def order(a: p(:a), b: p(a), c: [a, b]) = c
p order(b: 1), order(a: 1)
def default_from_positional(n, size: n * 2, list: [size]) = [n, size, list]
p default_from_positional(2), default_from_positional(2, size: 1)
def keyword_named(if:, class: 1) = [binding.local_variable_get(:if), binding.local_variable_get(:class)]
p keyword_named(if: 3)
x = 1
y = 2
p both(x:, y:), both(x, y:), { x:, "y": y, **h }
def modifies(**k) = (k[:new] = 1; k)
p modifies(**h), h
def nil_keys(a, **nil) = a
p nil_keys(h), (nil_keys(1, k: 1) rescue $!.message), method(:nil_keys).parameters
p both(k: 1, **{ k: 2 }), both(**{ k: 1 }, **{ k: 2, j: 3 }), both(**h.merge(z: 1)), both(**{ 1 => 2, nil => 3 })
class Parent; def go(*a, **k) = [:parent, a, k]; end
class Child < Parent
  def go(a, k: 0, **o) = (k += 1; super)
end
p Child.new.go(1, k: 1, z: 2), Child.new.go(1)
def yielder = yield(1, k: 2)
p yielder { |a, k:| [a, k] }, yielder { |a, b| [a, b] }, yielder { |*a| a }, yielder { |a, **o| o }
ruby2 = Class.new { def go(*args) = target(*args); ruby2_keywords(:go); def target(*a, **k) = [a, k] }.new
p ruby2.go(1, k: 2), ruby2.go({ k: 2 })
p [[:a, 1]].to_h { |k, v| [k, v] }, Struct.new(:a, :b, keyword_init: true).new(**{ a: 1, b: 2 }).to_h, format("%{k}", **h)
begin
  both(**5)
rescue TypeError => error
  p error.message
end
