# Calls the native methods of the core classes with arguments that misbehave: while a method converts, compares or yields
# them they move the receiver or another argument to a Ractor, freeze, clear, replace, grow it, collect garbage, raise, throw,
# call the method again, switch fibers. A method may answer or raise whatever it likes; the process may not crash, hang, or
# show a value that is no object, and the heap must be sound: it is verified between calls, and after every collection too in
# builds with debug assertions.
#
#   CARAT_GC_STRESS=SEED:50 NATIVES_LOG=FILE target/debug/carat -W0 tests/soak/natives.rb [SEED [CALLS [FIRST]]]
#
# A call's arguments depend on SEED and on its number alone: `natives.rb SEED 1 N` does call N again. $NATIVES_LOG names a file
# that holds the call under way; $NATIVES_ONLY is a regexp that the text "Class#method" must match. What does not end within a
# second is listed: some of it may not, such as a range without an end.
require "timeout"

SEED = (ARGV[0] || 1).to_i
CALLS = (ARGV[1] || 20_000).to_i
FIRST = (ARGV[2] || 0).to_i
LOG = ENV["NATIVES_LOG"] && File.open(ENV["NATIVES_LOG"], "w")
ONLY = Regexp.new(ENV["NATIVES_ONLY"] || "")
SECONDS = 1

# As many calls come between two looks at the whole heap.
CALLS_BETWEEN_LOOKS = 25

class Mischief < StandardError; end

# What took longer.
SLOW = []

NOWHERE = File.open(File::NULL, "r+")

# Takes in what is moved.
SINK = Ractor.new { loop { Ractor.receive } }

# Methods that would end or stop this process, change what the next calls start from, or wait for what never comes.
REFUSED = %i[
  abort exit exit! fork _fork exec system spawn ` sleep gets readline readlines trap kill stop wakeup raise binding irb
  instance_eval instance_exec module_eval class_eval module_exec class_exec eval load require require_relative autoload
  remove_const undef_method remove_method define_method alias_method private_class_method private_constant deprecate_constant
  report_on_exception= abort_on_exception= set_scheduler setproctitle daemon detach
  default_internal= default_external= stress= disable enable compact auto_compact= measure_total_time= config
  chdir chroot mkdir rmdir unlink delete rename symlink link mkfifo truncate chmod lchmod chown lchown utime lutime
  umask setsid setpgid setpgrp setpriority setrlimit setuid setgid setegid seteuid setreuid setregid setresuid setresgid
  setgroups initgroups maxgroups= setegid change_privilege grant_privilege re_exchange switch
  wait wait2 waitpid waitpid2 waitall argv0 warmup at_exit
  trace_var untrace_var set_trace_func syscall test at_exit exclude_end callcc include extend prepend refine using
  const_set class_variable_set remove_class_variable instance_variable_set remove_instance_variable public private protected
  module_function attr attr_reader attr_writer attr_accessor ruby2_keywords set_temporary_name define_singleton_method
  singleton_class undefine_finalizer reopen pread each_object garbage_collect select open popen pipe sysopen copy_stream
  display for_fd mkpath exist? open! undump close close_on_exec= autoclose= ioctl fcntl
].to_h { [_1, true] }

class Draw
  NUMBERS = [0, 1, 2, 3, 5, 7, 64, 255, 256, 1000, -1, -2, -5, -1000, 65_536, -2**31, 2**40, 2**62, 2**64, -2**64, 2**200].freeze
  FLOATS = [0.0, -0.0, 1.5, -1.5, 1e10, 1e300, 5e-324, Float::NAN, Float::INFINITY, -Float::INFINITY].freeze
  TEXTS = ["", "a", "b", "abc", "héé日本", "\xff\xfe", "a*", "C*", "%d", "%s%5.2f", "a-z", "rb", "UTF-8", "UTF-16LE", "ASCII-8BIT",
           "1.5e3", "0x1f", "to_s", "@iv", "Const", "\\1", "a,b;c", "\n", "2024-01-02", "x" * 200, "日" * 90].freeze
  SYMBOLS = %i[a b to_s size each + == utf_8 nofollow exception crlf_newline invalid replace ascii begin up half even in].freeze

  attr_reader :random

  def initialize(random) = @random = random

  def one(*choices) = choices[@random.rand(choices.size)]

  def chance(one_in) = @random.rand(one_in).zero?

  def number = NUMBERS[@random.rand(NUMBERS.size)]

  def small = @random.rand(12)

  def text
    string = TEXTS[@random.rand(TEXTS.size)].dup
    string *= @random.rand(40) if chance(6)
    string.force_encoding(Encoding::BINARY) if chance(8)
    string = string.encode("UTF-16LE") rescue string if chance(20)
    string = string[1..] || string if chance(6)
    string
  end

  def list
    size = one(0, 1, 3, 5, 20, 200)
    kind = @random.rand(4)
    array = Array.new(size) do |i|
      case kind
      when 0 then size - i
      when 1 then text
      when 2 then [i, text]
      else scalar
      end
    end
    chance(4) ? array[1..] || array : array
  end

  def table
    pairs = Array.new(one(0, 1, 3, 9, 30)) { |i| [chance(2) ? i : scalar, scalar] }
    hash = pairs.to_h
    hash.default = 1 if chance(8)
    hash.default_proc = proc { |h, k| h[k] = 1 } if chance(8)
    hash = hash.dup.compare_by_identity if chance(10)
    hash
  end

  def options
    keys = %i[exception invalid undef replace universal_newline chomp half by random capacity encoding in keyword_init freeze symbolize_names
              unit buffer offset mode step timeout base lowest name max]
    Array.new(1 + @random.rand(2)) { [keys[@random.rand(keys.size)], chance(2) ? scalar : Naughty.new(self)] }.to_h
  end

  def range = one(0..3, 1...1, -3..-1, 0.., ..2, "a".."e", 1.0..2.0, (nil..nil), 5..1, (0..10).step(3))

  def scalar
    case @random.rand(7)
    when 0, 1 then number
    when 2 then FLOATS[@random.rand(FLOATS.size)]
    when 3, 4 then text
    when 5 then SYMBOLS[@random.rand(SYMBOLS.size)]
    else one(nil, true, false)
    end
  end

  def argument
    case @random.rand(16)
    when 0, 1, 2 then small
    when 3 then scalar
    when 4 then text
    when 5 then list
    when 6 then table
    when 7 then range
    when 8 then receiver
    when 9 then one(String, Integer, Array, Hash, Comparable, Object, Float)
    else Naughty.new(self)
    end
  end

  RECEIVERS = {
    String: ->(d) { d.text },
    FrozenString: ->(d) { d.text.freeze },
    SubString: ->(d) { Class.new(String).new(d.text) },
    Symbol: ->(d) { SYMBOLS[d.random.rand(SYMBOLS.size)] },
    Array: ->(d) { d.list },
    NaughtyArray: ->(d) { Array.new(d.one(1, 3, 9)) { d.chance(2) ? Naughty.new(d) : d.scalar } },
    Hash: ->(d) { d.table },
    NaughtyHash: ->(d) { Array.new(d.one(1, 3, 9)) { [d.chance(2) ? d.scalar : Naughty.new(d), Naughty.new(d)] }.to_h },
    Set: ->(d) { Set.new(d.list) },
    Range: ->(d) { d.range },
    NaughtyRange: ->(d) { Range.new(Naughty.new(d), Naughty.new(d)) },
    Integer: ->(d) { d.number },
    Float: ->(d) { FLOATS[d.random.rand(FLOATS.size)] },
    Rational: ->(d) { Rational(d.small, 1 + d.small) },
    Complex: ->(d) { Complex(d.small, d.small) },
    Struct: ->(d) { Struct.new(:a, :b).new(d.scalar, Naughty.new(d)) },
    KeywordStruct: ->(d) { Struct.new(:a, :b, keyword_init: true).new(a: d.scalar, b: 1) },
    Data: ->(d) { Data.define(:a, :b).new(d.scalar, Naughty.new(d)) },
    Regexp: ->(d) { d.one(/a(b)?/, /(?<n>\w+)/, /[[:alpha:]]+/i, Regexp.new("x*"), /日/) },
    MatchData: ->(d) { /(?<first>.)(?<rest>.*)/m.match(d.text) || /b(c)?/.match("abc") },
    Proc: ->(d) { d.one(proc { |a, b| [a, b] }, lambda { |*a| a }, :size.to_proc, proc { |a, k: 1| a }) },
    Method: ->(d) { d.one(d.text.method(:<<), [1].method(:push), 3.method(:+), "a".method(:upcase).unbind) },
    Enumerator: ->(d) { d.one(d.list.each, d.table.each_pair, d.text.each_char, d.list.each_slice(2), Enumerator.new { |y| 3.times { |i| y << i } }) },
    Lazy: ->(d) { d.list.lazy.map { |x| x } },
    Chain: ->(d) { d.list.each + d.list },
    Product: ->(d) { Enumerator::Product.new([1, 2], [3]) },
    ArithmeticSequence: ->(d) { 1.step(by: 2, to: 9) },
    Exception: ->(d) { d.one(RuntimeError.new(d.text), KeyError.new("k", receiver: {}, key: 1), StopIteration.new) },
    Random: ->(d) { Random.new(3) },
    Time: ->(d) { d.one(Time.at(0), Time.at(1.5, in: "+09:00"), Time.utc(2024, 2, 29)) },
    StringIO: ->(d) { require "stringio"; StringIO.new(d.text) },
    Queue: ->(d) { Thread::Queue.new(d.list + [1, 2, 3]) },
    SizedQueue: ->(d) { Thread::SizedQueue.new(5).tap { |q| 3.times { |i| q << i } } },
    Mutex: ->(d) { Thread::Mutex.new },
    WeakMap: ->(d) { ObjectSpace::WeakMap.new.tap { |m| 3.times { |i| m["k#{i}"] = i.to_s } } },
    WeakKeyMap: ->(d) { ObjectSpace::WeakKeyMap.new.tap { |m| 3.times { |i| m["k#{i}"] = i.to_s } } },
    Module: ->(d) { d.one(Module.new { def m = 1 }, Class.new { def m = 1; @@c = 1; X = 1 rescue 0 }, Class.new(String)) },
    Object: ->(d) { Object.new.tap { |o| o.instance_variable_set(:@iv, d.list) } },
    Encoding: ->(d) { d.one(Encoding::UTF_8, Encoding::UTF_16LE, Encoding::BINARY) },
    Converter: ->(d) { Encoding::Converter.new("UTF-8", "UTF-16LE") },
    Buffer: ->(d) { d.one(IO::Buffer.new(64), IO::Buffer.for("some bytes" * 3), IO::Buffer.new(5000)) },
    Pipe: ->(d) { IO.pipe.tap { |_, w| w << "some\nlines\n"; w.close }[0] },
    Comparable: ->(d) { Naughty.new(d) },
    Refinement: ->(d) { Naughty.new(d) },
    ObjectSpace: ->(d) { d.one(Math, Comparable, Marshal, Process, GC, ObjectSpace, Signal, Warning, Random) },
    Classes: ->(d) { d.one(String, Array, Hash, Integer, Float, Rational, Complex, Regexp, Range, Struct, Data, Set, Time, Random, Enumerator, Proc,
                           Exception, Symbol, Module, Class, Encoding, IO::Buffer, StringIO, Enumerator::Product, Thread::Queue) },
    Nil: ->(d) { d.one(nil, true, false) },
    Binding: ->(d) { binding },
    Fiber: ->(d) { Fiber.new { |x| 3.times { x = Fiber.yield(x) } } },
    Generator: ->(d) { Enumerator.new { |y| y.yield 1, 2; y << 3 } },
    Strscan: ->(d) { require "strscan"; StringScanner.new(d.text) },
  }.freeze

  def receiver
    kinds = RECEIVERS.keys
    RECEIVERS[kinds[@random.rand(kinds.size)]].call(self)
  rescue StandardError
    # The core refuses to make some of them: a range of what does not compare, a hash whose keys raise.
    one("a", 1, nil)
  end
end

# What misbehaves: every conversion and comparison does some mischief to the targets of the call under way first.
class Naughty
  include Comparable
  Targets = Struct.new(:all, :method, :depth, :is_quiet)
  TARGETS = Targets.new([], nil, 0, true)

  def initialize(draw) = @draw = draw

  ANSWERS = {
    to_int: ->(d) { d.chance(10) ? d.scalar : d.one(0, 1, 2, 3, 5, 50, -1, -3, 100_000) },
    to_i: ->(d) { d.small }, to_f: ->(d) { 1.5 }, to_r: ->(d) { 3r }, to_c: ->(d) { 3i },
    to_str: ->(d) { d.chance(10) ? d.scalar : d.text }, to_s: ->(d) { d.chance(10) ? d.scalar : d.text },
    to_sym: ->(d) { :a }, to_path: ->(d) { d.text }, inspect: ->(d) { d.text },
    to_ary: ->(d) { d.chance(10) ? d.scalar : d.list }, to_a: ->(d) { d.list },
    to_hash: ->(d) { d.chance(10) ? d.scalar : d.table }, to_h: ->(d) { d.table },
    to_proc: ->(d) { proc { |*a| a[0] } }, to_regexp: ->(d) { /a/ }, to_io: ->(d) { NOWHERE },
    hash: ->(d) { d.small }, eql?: ->(d) { d.chance(2) }, "==": ->(d) { d.chance(2) }, "===": ->(d) { d.chance(2) }, equal?: ->(d) { false },
    "=~": ->(d) { d.chance(2) }, "!": ->(d) { d.chance(2) },
    "<=>": ->(d) { d.one(-1, 0, 1, nil) }, coerce: ->(d) { [1, 2] }, succ: ->(d) { d.scalar },
    "+": ->(d) { d.small }, "-": ->(d) { d.small }, "*": ->(d) { d.small }, "/": ->(d) { d.small }, "<<": ->(d) { d.small },
    "[]": ->(d) { d.scalar }, size: ->(d) { d.small }, length: ->(d) { d.small }, begin: ->(d) { d.small }, end: ->(d) { d.small },
    call: ->(d) { d.scalar }, write: ->(d) { d.small }, read: ->(d) { d.text }, name: ->(d) { d.text }, rand: ->(d) { d.small },
    exception: ->(d) { RuntimeError.new(d.text) }, message: ->(d) { d.text }, divmod: ->(d) { [1, 2] },
    initialize_copy: ->(d) { nil }, marshal_dump: ->(d) { d.list }, _dump: ->(d) { d.text }, utc_offset: ->(d) { 3600 },
  }.freeze

  ANSWERS.each do |name, answer|
    define_method(name) do |*args, **, &block|
      Mischief.do(@draw)
      answer.call(@draw)
    end
  end

  def each
    return to_enum(:each) unless block_given?
    @draw.small.times do
      Mischief.do(@draw)
      yield @draw.scalar
    end
    self
  end

  def respond_to_missing?(*) = (Mischief.do(@draw) if @draw.chance(4); false)

  def freeze = self
end

class Mischief
  # A random one of what follows, to the receiver or an argument of the call under way.
  def self.do(draw)
    targets = Naughty::TARGETS
    return if targets.is_quiet || draw.chance(4)
    target = targets.all[draw.random.rand(targets.all.size)]
    case draw.random.rand(13)
    when 0 then move(target)
    when 1 then freeze(target)
    when 2, 3 then shrink(target)
    when 4, 5 then grow(target, draw)
    when 6 then replace(target, draw)
    when 7 then GC.start(full_mark: draw.chance(3), immediate_sweep: true)
    when 8 then raise Mischief
    when 9 then throw :mischief
    when 10 then again(targets)
    when 11 then Fiber[:inside] && draw.chance(3) ? Fiber.yield : 100.times { "garbage" * 3 }
    else target.dup
    end
  rescue FrozenError, Ractor::Error, TypeError, ArgumentError, NoMethodError, FiberError, IOError, RuntimeError, Errno::EPERM
    nil
  end

  def self.move(target)
    SINK.send(target, move: true) if [String, Array, Hash, Set, Struct, StringIO, MatchData, Object].any? { |c| c === target } && !(Module === target)
  end

  def self.freeze(target) = Module === target ? nil : Kernel.instance_method(:freeze).bind_call(target)

  def self.shrink(target)
    case target
    when String, Array, Hash, Set, Thread::Queue then target.clear
    when StringIO then target.string.clear
    when IO::Buffer then target.free
    when IO then target.close
    end
  end

  def self.grow(target, draw)
    case target
    when String then target << "grown" * draw.one(1, 10, 1000)
    when Array then target.concat([draw.scalar] * draw.one(1, 10, 1000))
    when Hash then draw.one(1, 10, 100).times { |i| target[[i]] = i }
    when Set then draw.one(1, 10, 100).times { |i| target << [i] }
    when StringIO then target.string << "grown" * 100
    when IO::Buffer then target.resize(10_000)
    when Struct then target[0] = draw.list
    end
  end

  def self.replace(target, draw)
    case target
    when String then target.replace(draw.text)
    when Array then target.replace(draw.list)
    when Hash then target.replace(draw.table)
    when Set then target.replace(draw.list)
    when StringIO then target.string = draw.text
    end
  end

  def self.again(targets)
    return if targets.depth > 2
    targets.depth += 1
    targets.all[0].__send__(targets.method, *targets.all.drop(1))
  ensure
    targets.depth -= 1 if targets.depth > 0
  end
end

# One call, found from the seed and its number.
class Call
  def initialize(number)
    @draw = Draw.new(Random.new(SEED * 1_000_003 + number))
    kinds = Draw::RECEIVERS.keys
    @kind = kinds[@draw.random.rand(kinds.size)]
    @receiver = Draw::RECEIVERS[@kind].call(@draw)
    names = methods_of(@receiver)
    @name = names[@draw.random.rand(names.size)]
  end

  def methods_of(receiver)
    @@methods ||= {}
    key = receiver.equal?(nil) || Module === receiver ? receiver : receiver.class
    key = @kind if Module === receiver && receiver.name.nil? || Struct === receiver || Data === receiver
    @@methods[key] ||= (receiver.public_methods.uniq - REFUSED.keys).reject { Timeout.instance_methods.include?(_1) }.sort
  end

  def title = "#{@kind}##{@name}"

  def is_wanted = @name && ONLY.match?(title)

  def do
    args = Array.new(count) { @draw.argument }
    block = @draw.chance(2) ? block_of(@draw) : nil
    options = @draw.chance(8) ? @draw.options : {}
    log(args, options)
    targets = Naughty::TARGETS
    targets.all = [@receiver, *args]
    targets.method = @name
    targets.depth = 0
    targets.is_quiet = false
    answer = in_time { catch(:mischief) { inside(args, options, block) } }
    targets.is_quiet = true
    look_at([answer, @receiver, *args])
  ensure
    Naughty::TARGETS.is_quiet = true
  end

  def count
    arity = @receiver.method(@name).arity rescue -1
    return arity if arity >= 0 && !@draw.chance(12)
    [-arity - 1, 0].max + @draw.random.rand(3)
  end

  def in_time(&)
    Timeout.timeout(SECONDS, &)
  rescue Timeout::Error => error
    SLOW << title unless endless?
    error
  end

  # In a fiber every third time, which is left where it is if it stops in between.
  def inside(args, options, block)
    return invoke(args, options, block) unless @draw.chance(3)
    fiber = Fiber.new(storage: { inside: true }) { catch(:mischief) { invoke(args, options, block) } }
    fiber.resume
    fiber.resume while fiber.alive? && !@draw.chance(5)
  end

  def invoke(args, options, block)
    @receiver.__send__(@name, *args, **options, &block)
  rescue Interrupt, Timeout::ExitException
    raise
  rescue Exception => error
    error.class
  end

  ENDLESS = /cycle|loop|step|each|%|upto|downto|succ|next|pop|shift|deq|lock|synchronize|sum|to_a|lazy|inject|count|sleep|join|value|wait|iterator|product|combination|permutation/
  def endless? = ENDLESS.match?(title) || Range === @receiver || Enumerator === @receiver

  def block_of(draw)
    calls = 0
    proc do |*values|
      raise Mischief, "enough" if (calls += 1) > 2000
      Mischief.do(draw)
      draw.chance(3) ? values[0] : draw.scalar
    end
  end

  # Every object that is left must be one, and say so.
  def look_at(values)
    values.each do |value|
      Kernel.instance_method(:class).bind_call(value)
      value.inspect if @draw.chance(4) && !(IO === value)
    rescue Exception => e
      raise if Interrupt === e
    end
  end

  def log(args, options)
    return unless LOG
    LOG.rewind
    LOG.truncate(0)
    LOG.write("call #{@@number}: #{title} (#{args.map { |a| a.class }.join(", ")}) #{options.keys}\n")
    LOG.flush
  end

  def self.number=(number)
    @@number = number
  end
end

$stdout = $stderr = NOWHERE
calls = 0
(FIRST...FIRST + CALLS).each do |number|
  Call.number = number
  call = begin
    Call.new(number)
  rescue StandardError
    next
  end
  next unless call.is_wanted
  calls += 1
  call.do
  GC.verify_internal_consistency if (calls % CALLS_BETWEEN_LOOKS).zero?
end
STDOUT.puts "natives: #{calls} calls with seed #{SEED}, #{SLOW.size} without an end in #{SECONDS} s"
STDOUT.puts SLOW.tally.map { |title, count| "  #{title} #{count}" } unless SLOW.empty?
