# method_missing, respond_to_missing?, define_method, instance_variable_*, send, method objects.
class Proxy < BasicObject
  def initialize(target)
    @target = target
    @log = []
  end
  def method_missing(name, *args, **keys, &block)
    @log << name
    @target.__send__(name, *args, **keys, &block)
  end
  def respond_to_missing?(name, all = false) = @target.respond_to?(name, all)
  def __log = @log
end
proxy = Proxy.new([3, 1, 2])
p proxy.sort, proxy.map { |x| x * 2 }, proxy.size, proxy.__log

class Recorder
  def method_missing(name, *args, &block)
    case name
    when /\Aget_(\w+)\z/ then "got #{$1}"
    when /\A(\w+)=\z/ then instance_variable_set("@#{$1}", args.first)
    when /\A(\w+)\?\z/ then instance_variable_defined?("@#{$1}")
    else super
    end
  end
  def respond_to_missing?(name, *) = name.match?(/\Aget_|[=?]\z/) || super
end
recorder = Recorder.new
p recorder.get_thing, (recorder.color = :red), recorder.color?, recorder.shape?, recorder.instance_variables
p recorder.respond_to?(:get_x), recorder.respond_to?(:nope), recorder.method(:get_y).call
begin
  recorder.nope(1)
rescue NoMethodError => error
  p error.name, error.args, error.message
end
begin
  recorder.instance_eval { vcall_like }
rescue NameError => error
  p error.class, error.message
end

class Maker
  %w[red green].each_with_index do |color, index|
    define_method("#{color}?") { |value = index| value == index }
    define_method(:"#{color}_args") { |a, *b, k: 1, &c| [a, b, k, c&.call] }
  end
  define_method(:from_lambda, ->(x, y = 2) { [x, y] })
  define_method(:from_method, instance_method(:from_lambda))
  def self.make(name, &body) = define_method(name, &body)
  make(:return_early) { |x| return :early if x; :late }
end
maker = Maker.new
p maker.red?, maker.red?(5), maker.green?, maker.red_args(1, 2, k: 3) { 4 }
p maker.from_lambda(1), maker.from_method(1, 3), maker.return_early(true), maker.return_early(false)
begin
  maker.from_lambda
rescue ArgumentError => error
  p error.message
end
p Maker.instance_methods(false).sort
p (define_method(:at_top) { 1 } rescue $!.class)
maker.define_singleton_method(:only_me) { |x| [self.class, x] }
p maker.only_me(1), maker.singleton_methods

bound = 5.method(:+)
p bound.call(3), bound.unbind.bind(7).call(1), bound.owner, bound.name, bound.arity, bound.receiver
p [1, 2, 3].map(&10.method(:+)), %w[1 2].map(&method(:Integer))
unbound = Array.instance_method(:size)
p unbound.bind_call([1, 2]), unbound.inspect
begin
  unbound.bind("x")
rescue TypeError => error
  p error.message
end
p maker.method(:from_lambda).to_proc.call(9), maker.method(:red?) == maker.method(:red?), maker.methods(false)
p 5.send(:+, 1), 5.__send__("-", 1), 5.public_send(:*, 2), (5.send rescue $!.message)
class Counter
  def initialize = @n = 0
  def to_proc = ->(x) { @n += x }
end
p [1, 2, 3].map(&Counter.new)
begin
  [1].map(&5)
rescue TypeError => error
  p error.message
end
p recorder.singleton_class.instance_methods(false), Recorder.instance_method(:method_missing).arity
p Object.new.instance_variable_set(:@a, 1), (Object.new.instance_variable_set("bad", 1) rescue $!.message)
o = Object.new
o.instance_variable_set(:@z, 1)
p o.remove_instance_variable(:@z), o.instance_variables, (o.remove_instance_variable(:@z) rescue $!.message.sub(/0x\h+/, "XX"))
