# Every core method of one object, called with everything and with or without a block. Run it under CRuby 4.0 and Carat and
# compare the lines, which say receiver, method, arguments, and the result or the error. Arguments: the name of a receiver below (all
# of them without it), `block` for calls with a block, and the name of a method behind which to begin, in alphabetical order:
# CRuby's WebAssembly build ends after some thousands of exceptions, and some calls with a block never end.
require "set"
$VERBOSE = nil
$stdout.sync = true
RECEIVER, BLOCK, START = ARGV[0] || "", ARGV[1] || "", ARGV[2] || ""
Pair = Struct.new(:a, :b)
Point = Data.define(:x)

class Plain
  def inspect = "#<Plain>"
end

RECEIVERS = {
  integer: -> { 3 }, bignum: -> { 2**70 }, float: -> { 1.5 }, rational: -> { 1r / 3 }, complex: -> { 2i }, string: -> { +"str" }, frozen_string: -> { "frozen".freeze }, symbol: -> { :sym },
  array: -> { [1, "a", nil] }, numbers: -> { [3, 1, 2] }, frozen_array: -> { [1].freeze }, hash: -> { { a: 1 } }, frozen_hash: -> { { a: 1 }.freeze }, range: -> { 1..3 }, text_range: -> { "a".."c" },
  struct: -> { Pair.new(1, 2) }, data: -> { Point.new(x: 1) }, set: -> { Set[1, 2] }, nil: -> {}, true: -> { true }, object: -> { Plain.new }, class: -> { Plain }, module: -> { Comparable },
  proc: -> { proc { |x| x } }, lambda: -> { ->(x) { x } }, method: -> { 1.method(:+) }, unbound_method: -> { Integer.instance_method(:+) }, regexp: -> { /(?<n>s)/ }, match: -> { /(?<n>s)/.match("str") },
  time: -> { Time.at(0).utc }, random: -> { Random.new(1) }, exception: -> { RuntimeError.new("m") }, enumerator: -> { [1, 2].each }, lazy: -> { (1..3).lazy }, sequence: -> { 1.step(9, 3) }, chain: -> { [1].each + [2] },
  string_class: -> { String }, array_class: -> { Array }, hash_class: -> { Hash }, range_class: -> { Range }, struct_class: -> { Pair }, data_class: -> { Point }, integer_class: -> { Integer }, float_class: -> { Float },
  rational_class: -> { Rational }, complex_class: -> { Complex }, symbol_class: -> { Symbol }, regexp_class: -> { Regexp }, time_class: -> { Time }, error_class: -> { KeyError }, encoding_class: -> { Encoding }, set_class: -> { Set },
  proc_class: -> { Proc }, enumerator_class: -> { Enumerator }, lazy_class: -> { Enumerator::Lazy }, math: -> { Math },
}.freeze
ARGUMENTS = {
  none: -> { [] }, one: -> { [1] }, two: -> { [1, 2] }, three: -> { [1, 2, 3] }, nil: -> { [nil] }, nils: -> { [nil, nil] }, text: -> { ["a"] }, unknown: -> { [:zz] }, name: -> { [:to_s] }, object: -> { [Plain.new] },
  negative: -> { [-1] }, bignum: -> { [2**80] }, float: -> { [1.5] }, nan: -> { [Float::NAN] }, array: -> { [[]] }, range: -> { [0..1] }, regexp: -> { [/a/] }, hash: -> { [{ a: 2 }] }, four: -> { [nil, "a", 1, :b] },
}.freeze

# What ends the program, waits, prints, reads files, changes what others see, or answers otherwise each time.
OTHERS = %i[
  ` abort at_exit binding callcc display exec exit exit! fail fork gets irb loop open p pp print printf putc puts raise rand readline readlines select set_trace_func sleep spawn srand syscall system test throw trace_var trap
  untrace_var warn
  __id__ hash object_id inspect to_s rand random_number bytes shuffle shuffle! sample seed new_seed urandom now instance_variables methods private_methods public_methods singleton_methods constants instance_methods
  private_instance_methods public_instance_methods undefined_instance_methods method public_method instance_method public_instance_method
  alias_method attr attr_accessor attr_reader attr_writer autoload class_eval class_exec class_variable_set const_set define_method define_singleton_method extend freeze include instance_eval instance_exec instance_variable_set
  load module_eval module_exec module_function prepend private private_class_method protected public public_class_method refine remove_class_variable remove_const remove_instance_variable remove_method require require_relative
  ruby2_keywords set_backtrace singleton_class undef_method using default_external= default_internal= name_list box
  cycle hypot
].freeze
# Numbers would fill memory.
HUGE = { integer: %i[<< ** pow >>], bignum: %i[<< ** pow >>] }.freeze

def shown(value)
  text = case value
         when Enumerator::Lazy then value.inspect
         when Enumerator then (value.first(3).inspect rescue $!.class.name)
         else value.inspect
         end
  text.b.gsub(/0x\h+|\S+calls\.rb:\d+/, "…".b)[0, 200].gsub("\n".b, "\\n".b)
end

def outcome(receiver, method, arguments)
  value = BLOCK == "block" ? receiver.public_send(method, *arguments) { |*given| given.first } : receiver.public_send(method, *arguments)
  behind = [Array, Hash, Set, String].any? { _1 === receiver } ? " leaving #{shown(receiver)}" : ""
  "#{value.class} #{shown(value)}".b + behind.b
rescue Exception => e
  "#{e.class}: ".b + shown(e.message.lines.first.to_s.chomp.to_sym)
end

RECEIVERS.each do |name, make|
  next unless RECEIVER.empty? || RECEIVER == name.to_s
  methods = make.call.public_methods.sort - OTHERS - HUGE.fetch(name, [])
  methods.select { _1.to_s > START }.each do |method|
    puts "# #{method}"
    ARGUMENTS.each { |kind, arguments| puts "#{name}.#{method}(#{kind}) ".b + outcome(make.call, method, arguments.call) }
  end
end
