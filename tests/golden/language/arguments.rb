# Every kind of parameter, and how arguments reach them.
def required(a, b) = [a, b]
def optional(a, b = a * 2, c = b + 1) = [a, b, c]
def splat(a, *rest, z) = [a, rest, z]
def optional_middle(a, b = :b, *rest, y, z) = [a, b, rest, y, z]
def keywords(a, k:, o: k + 1, **others) = [a, k, o, others]
def nothing_else(a, **nil) = a
def all(a, b = 2, *c, d, e:, f: 6, **g, &h) = [a, b, c, d, e, f, g, h&.call]
def destructured((a, (b, *c)), d) = [a, b, c, d]

p required(1, 2)
p optional(1), optional(1, 5), optional(1, 5, 9)
p splat(1, 2), splat(1, 2, 3), splat(1, 2, 3, 4)
p optional_middle(1, 2, 3), optional_middle(1, 2, 3, 4), optional_middle(1, 2, 3, 4, 5, 6)
p keywords(1, k: 2), keywords(1, k: 2, o: 0, z: 26, "s": 1)
p nothing_else(3)
p all(1, 4, e: 5)
p all(1, 2, 3, 4, 5, e: 1, x: 2) { :block }
p destructured([1, [2, 3, 4]], 5)
p destructured([1], 2)

array = [1, 2, 3]
hash = { k: 10, y: 20 }
p splat(*array), splat(0, *array, *[9]), splat(*array, 4)
p keywords(1, **hash), keywords(1, **hash, k: 11)
p keywords(*[7], **hash)
p splat(*nil, 1, 2), splat(*1..4)

def last_hash(*args, **keys) = [args, keys]
p last_hash(a: 1), last_hash({ a: 1 }), last_hash({ "a" => 1 }, "b" => 2)
p last_hash(**{}), last_hash(*[{ a: 1 }])

def optional_hash(options = {}) = options
p optional_hash(a: 1, "b" => 2), optional_hash

def forward_all(...) = all(...)
def forward_some(first, ...) = all(first, 20, ...)
def anonymous(*, **, &) = all(*, **, &)
p forward_all(1, 4, e: 5) { :forwarded }
p forward_some(1, 4, e: 5)
p anonymous(1, 2, 3, e: 5) { :anonymous }

def block_arity(&block) = [block.arity, block.parameters, block.lambda?]
p block_arity { |a, (b, c), *d, e: 1, **f| }
p method(:all).parameters
p method(:all).arity, method(:required).arity, method(:optional).arity, method(:keywords).arity
p method(:forward_all).parameters, method(:anonymous).parameters, method(:nothing_else).parameters

def order = yield
log = []
result = all((log << :a; 1), (log << :b; 2), e: (log << :e; 5), g: (log << :g; 7))
p result, log

[
  -> { required(1) },
  -> { required(1, 2, 3) },
  -> { optional },
  -> { keywords(1) },
  -> { keywords(k: 1) },
  -> { all(1, 2) },
  -> { nothing_else(1, z: 2) },
  -> { required(1, 2, k: 3, l: 4) },
  -> { def one_keyword(a:) = a; one_keyword(a: 1, b: 2, c: 3) },
  -> { one_keyword },
  -> { splat(1) },
].each do |call|
  call.call
rescue ArgumentError => error
  puts "#{error.class}: #{error.message}"
end
