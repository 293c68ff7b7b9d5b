# Procs and blocks with other than required parameters, called in every number of arguments.
class ListLike; def to_ary = [7, 8, 9]; end
class Missing; def respond_to_missing?(n, _) = n == :to_ary; def method_missing(n) = n == :to_ary ? [4, 5] : super; end
class NilList; def to_ary = nil; end
class BadList; def to_ary = 5; end
ARGS = [[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], [nil], [[1, 2, 3]], [[]], [{k: 1}], [1, {k: 2}], [ListLike.new], [Missing.new],
        [NilList.new], [BadList.new], ["s"], [:s, :t], [1.5], [[1], 2], [[[1, 2]]]]
PROCS = {
  "|x, y|" => proc { |x, y| [x, y] }, "|x, y = x|" => proc { |x, y = x| [x, y] }, "|x = 1, y = 2|" => proc { |x = 1, y = 2| [x, y] },
  "|x, *y|" => proc { |x, *y| [x, y] }, "|x, y = 3, *z|" => proc { |x, y = 3, *z| [x, y, z] }, "|*x|" => proc { |*x| x },
  "|x, y, z = y|" => proc { |x, y, z = y| [x, y, z] }, "|x, k: 5|" => proc { |x, k: 5| [x, k] }, "|x = 9|" => proc { |x = 9| x },
  "|x, y, k: 5|" => proc { |x, y, k: 5| [x, y, k] }, "|x, **o|" => proc { |x, **o| [x, o] }, "|x, y, **o|" => proc { |x, y, **o| [x, y, o] },
  "|x, *y, z|" => proc { |x, *y, z| [x, y, z] }, "|x, (y, z), w = 1|" => proc { |x, (y, z), w = 1| [x, y, z, w] },
  "|x, &b|" => proc { |x, &b| [x, b] }, "|x, y = 2, &b|" => proc { |x, y = 2, &b| [x, y, b] }, "|x,|" => proc { |x,| x },
  "|(x, y)|" => proc { |(x, y)| [x, y] }, "|k: 1|" => proc { |k: 1| k }, "|*x, k: 1|" => proc { |*x, k: 1| [x, k] },
  "|x, y; l|" => proc { |x, y; l| l.nil? && [x, y, l] }, "|x, **nil|" => proc { |x, **nil| x }, "|x, r:|" => proc { |x, r:| [x, r] },
  "->(x)" => ->(x) { x }, "->(x, y = x)" => ->(x, y = x) { [x, y] }, "->(x, *y)" => ->(x, *y) { [x, y] }, "->(*x)" => ->(*x) { x },
  "->(x, k: 5)" => ->(x, k: 5) { [x, k] }, "->(x, **o)" => ->(x, **o) { [x, o] }, "->(x, y = 2, *z, w)" => ->(x, y = 2, *z, w) { [x, y, z, w] },
  "->(x, &b)" => ->(x, &b) { [x, b] }, "->(x = 1, y = x + 1)" => ->(x = 1, y = 2) { [x, y] }, "->(k: 1)" => ->(k: 1) { k },
}
def shown(value) = value.inspect.gsub(/#<(\w+)(:0x\h+)?( \S*)?>/, '#<\1>')
def attempt = shown(yield)  rescue "#{$!.class}: #{$!.message.gsub(/0x\h+/, '')}"
def yield0 = yield
def yield1(a) = yield(a)
def yield2(a, b) = yield(a, b)
def yield3(a, b, c) = yield(a, b, c)
def yield_list(*a) = yield(*a)
def yield_to(args, &b)
  case args.size
  when 0 then yield0(&b)
  when 1 then yield1(args[0], &b)
  when 2 then yield2(args[0], args[1], &b)
  when 3 then yield3(args[0], args[1], args[2], &b)
  else yield_list(*args, &b)
  end
end
def call_with(pr, args)
  case args.size
  when 0 then pr.call
  when 1 then pr.(args[0])
  when 2 then pr[args[0], args[1]]
  when 3 then pr.call(args[0], args[1], args[2])
  else pr.call(*args)
  end
end
PROCS.each do |name, pr|
  ARGS.each do |args|
    called = attempt { call_with(pr, args) }
    yielded = attempt { yield_to(args, &pr) }
    listed = attempt { yield_list(*args, &pr) }
    executed = attempt { instance_exec(*args, &pr) }
    same = [yielded, listed, executed].all?(called)
    puts "#{name} #{shown(args)}: #{called}#{" #{yielded} #{listed} #{executed}" unless same}"
  end
end
# Literal blocks.
literals = ARGS.map do |a|
  [attempt { yield_to(a) { |x, y = 5| [x, y] } }, attempt { yield_list(*a) { |x, *y| [x, y] } }, attempt { yield_to(a) { |x, y| [x, y] } },
   attempt { yield_to(a) { |x, k: 3| [x, k] } }, attempt { yield_to(a) { |x = 1, y = 2, *z, k: 3, **o, &b| [x, y, z, k, o, b] } }]
end
literals.each { |l| puts l.join("  ") }
# Hot, with every kind of argument in turn, and exceptions and breaks.
def hot(n)
  sum = 0
  f = proc { |x, y = 2, *z, k: 1| sum += x.to_i + y.to_i + z.size + k }
  g = ->(x, y = x) { return y if x > 5; x }
  n.times do |i|
    f.(i); f.(i, i); f.(i, i, i); f.([i, 1]); f.(nil)
    sum += g.(i % 10) + g.(1, 2)
  end
  sum
end
p hot(10), hot(3000)
def broken = [1, 2, 3].each_with_index { |x, i = 0, j = 1| break [x, i, j] if x == 2 }
p broken
p [[1, 2], [3, 4]].each_with_index.map { |(a, b), i, j = a| [a, b, i, j] }
p({a: 1}.map { |k, v = 9, w = 8| [k, v, w] }, {a: 1}.any? { |k, v = 9| v == 1 }, [[1, 2]].each_with_object([]) { |(a, b), acc, z = 1| acc << a << b << z })
class Integer
  def to_ary = [self, self + 1]
end
p proc { |x, y| [x, y] }.call(1), proc { |x, y = 0| [x, y] }.call(1)
