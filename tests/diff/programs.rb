# Programs that a grammar makes. Run with a seed and a number of programs, this prints one file that holds them all:
#
#   carat tests/diff/programs.rb 7 400 > programs.rb
#
# Run that file under CRuby 4.0 and under Carat and compare the lines with `diff`: each says the number of a program and what it
# traced, with the error that ended it. `carat tests/diff/programs.rb 7 400 31` prints program 31 alone, as it was made.
#
# Below `__END__` stand the rules of the grammar: a name, how many of its forms come first that end a program which became too
# deep, and its forms, one a line or between `¦`. {name} in a form stands for a form of that rule. Names come from small sets,
# so that programs define, redefine, shadow and miss them. There are no Integers between 31 and 63 bits: a C `long` of CRuby's
# WebAssembly build has 32. Programs end: `more` counts the turns of loops and of endless ranges, and ranges of strings are short.
SEED, COUNT, ONLY = Integer(ARGV[0] || 1), Integer(ARGV[1] || 200), ARGV[2]&.to_i

Rule = Struct.new(:leaves, :forms)

RULES = DATA.read.split(/^(?=\w)/).to_h do |text|
  heading, *lines = text.lines(chomp: true)
  name, leaves = heading.split
  [name, Rule.new(leaves.to_i, lines.flat_map { |line| line.delete_prefix("  ").split(" ¦ ", -1).then { |forms| forms.empty? ? [""] : forms } })]
end

class Grammar
  MAX_DEPTH = 6

  def initialize(seed) = @random = Random.new(seed)

  def make = grow("program", 0)

  private

  def grow(name, depth)
    rule = RULES.fetch(name)
    forms = depth > MAX_DEPTH ? rule.leaves : rule.forms.size
    rule.forms[@random.rand(forms)].gsub(/\{([a-z_]\w*)\}/) { RULES.key?($1) ? grow($1, depth + 1) : $& }
  end
end

PRELUDE = <<~'RUBY'
  $VERBOSE = nil
  $stdout.sync = true

  def self.shown(value)
    text = begin
      value.inspect
    rescue Exception
      "(no inspect: #{$!.class})"
    end
    text = text.is_a?(String) ? text.b.gsub(/0x\h{6,}/, "0x") : text.class.name
    text.size > 300 ? text[0, 300] + "…".b : text
  end

  module Kernel
    # Notes a value.
    def t(value = nil)
      $notes << MAIN.shown(value) if $notes.size < 40
      value
    end

    # Whether a loop may go on: a program ends that has used up its turns.
    def more
      throw :enough if ($turns -= 1) < 0
      true
    end
  end
  MAIN = self

  # An endless range that ends a program which goes on through it.
  class Endless < Range
    def each
      return super unless block_given?
      super do |x|
        more
        yield x
      end
    end
  end

  # The first line of a message without addresses, which differ. A syntax error is worded by the parser, which differ by the file.
  def self.told(error)
    text = error.message.to_s.b.gsub(/0x\h{6,}/, "0x").lines.first.to_s.chomp[0, 300]
    error.is_a?(SyntaxError) ? "" : text
  rescue Exception
    "(no message: #{$!.class})"
  end

  def self.outcome(number, source)
    space = Object.const_set("S#{number}", Module.new)
    space.extend(space)
    $notes, $turns, $saved = [], 100, nil
    catch(:enough) { space.module_eval(source, "program", 1) }
  rescue Exception => error
    $notes << "#{error.class}: #{told(error)} #{error.backtrace_locations&.filter_map { |x| "#{x.label}" if x.path == "program" }&.first(4)}".b
  end

  def self.program(number, source)
    # A program may return from the method that runs it.
    outcome(number, source)
    $notes.each { |note| puts "#{number} ".b + note.b.gsub("\n".b, "\\n".b) }
    puts "#{number} ended"
  end
RUBY

if ONLY
  puts Grammar.new(SEED * 1_000_003 + ONLY).make
else
  puts PRELUDE
  COUNT.times { |number| puts "program(#{number}, #{Grammar.new(SEED * 1_000_003 + number).make.dump})" }
end

__END__
program 1
  {setup}{statements}{statements}
  {setup}{definition}{statements}{statements}
  {setup}{definition}{definition}{statements}{statements}
  {setup}{definition}{class}{statements}{statements}
  {setup}{class}{class}{statements}{statements}
  {setup}{module}{class}{statements}{statements}
setup 1
  a = {int};b = {str};c = {arr};d = {hash};e = {any};
  a = {int};b = {str};c = {arr};
  a = {any};b = {any};e = {proc};
  a, (b, *c), d = {int}, {arr}, {any};
  a, b, *c = *{arr};d = {hash};
statements 1
  {trace};
  {statement};{trace};
  {statement};{trace};{trace};
  {statement};{statement};{trace};
trace 1
  t {var}
  t({any})
  t({call})
  t({chain})
  t(({statement}))
  t(begin;{statement};rescue => error;[error.class, error.message];end)
statement 3
  {var} = {any}
  {var}
  nil
  {var} {assign} {any}
  {var}, {var} = {var}, {var}
  {var}, *{var} = {any}
  *{var}, {var} = *{any}
  {var}, ({var}, *), {var} = {any}
  {var}[{index}] {assign} {any}
  {var}.{attribute} {assign} {any}
  {var}&.{attribute} = {any}
  @{attribute} {assign} {any}
  if {bool};{statements}else;{statements}end
  unless {bool};{statements}end
  {statement} if {bool}
  {statement} unless {bool}
  {statement} while more && {bool}
  begin;{statements};end until !more || {bool}
  while more;{statements};{leave} if {bool};end
  until !more;{statements};{leave} if {bool};end
  for {var} in {arr};more;{statements};{leave} if {bool};end
  for {var}, {var} in {hash};more;{statements};end
  loop { more; {statements};break {any} if {bool} }
  case {any};when {any}, {any} then {statements}when {class_name} then {statements}else;{statements}end
  case;when {bool} then {statements}when {bool} then {statements}end
  case {any};in {pattern} then {statements}in {pattern} if {bool} then {statements}else;{statements}end
  case {arr};in {pattern} then {statements}end
  (({any} => {pattern});{var})
  begin;{statements};rescue {error};{statements}else;{statements}ensure;{statements}end
  begin;{statements};raise {error}, {str};rescue {error}, {error} => {var};t({var}.message);ensure;t({var});end
  begin;{statements};rescue => {var};more;t({var}.message);retry if {bool} && more;end
  begin;raise {error}, {str};rescue => {var};raise {error}.new({str}) rescue t($!.cause);end
  {statement} rescue {any}
  {call}
  {chain}
  {definition}
  catch(:done) { {statements};throw :done, {any} if {bool};{any} }
  {proc}.then { |{var}| {statements} }
  raise {error}, {str} if {bool}
  raise {any} if {bool}
  alias_method(:{method}, :{method})
  $saved {assign} {any}
  (class << self;self;end).define_method(:{method}) { |*{var}| {statements} }
  {var} = {var}.freeze
  {var}.freeze.{mutation}
  {var}.{mutation}
  1.times { {statements} }
  undef {method} if {bool}
  redo_once = false;c = {arr};c.each { |x| t x;unless redo_once;redo_once = true;redo;end } if Array === c
  ->({parameters}) { {statements} }.({arguments}){tail}
  proc { |{parameters}| {statements} }.call({arguments})
  def self.{method} = {any}
tail 1
  .to_s ¦ .then { |x| x }
leave 2
  break ¦ next ¦ break {any} ¦ next {any}
assign 6
  = ¦ ||= ¦ &&= ¦ += ¦ -= ¦ *= ¦ <<= ¦ |=
definition 1
  def {method}({parameters});{body}end;
  def {method}({parameters});{body}rescue {error};{statements}ensure;{statements}end;
  def {method}({parameters}) = {any};
  def {method}({parameters});return {any} if {bool};{body}yield({arguments}) if block_given?;end;
  def {method}({parameters}, &block);{body}block ? block.call({arguments}) : {any};end;
  def {method}(...) = {method2}(...);
  def {method}(*, **, &) = {method2}(*, **, &);
  define_method(:{method}) { |{parameters}| {body} };
  private def {method}({parameters});{body}end;
  def {method}({parameters});{method2}({arguments}) { |x| return x if {bool};{statements} };end;
  def {method}({parameters});[1, 2].each { |x| {body}return x if {bool} };end;
body 1
  more;{statements} ¦ more;{statement};{any}; ¦ more;{trace};{statements}
class 2
  class {constant};attr_accessor :{attribute};def initialize({parameters});@{attribute} = {any};end;{definition}{definition}end;
  class {constant} < {class_name};{definition}def {method}({parameters});super;end;end;
  class {constant};include Comparable;attr_reader :{attribute};def initialize(x = 1, *) = @{attribute} = x;def <=>(other) = {attribute} <=> other.{attribute};end;
  class {constant};include Enumerable;def each;yield {any};yield {any}, {any};self;end;end;
  class {constant};def method_missing(name, *given, **keywords, &block) = name == :{method2} ? super : [name, given, keywords];def respond_to_missing?(name, *) = {bool};end;
  class {constant};def ==({var}) = {bool};def hash = {int};def eql?(other) = {bool};def to_s = {str};def inspect = "<" + to_s + ">";end;
  class {constant};def to_str = {str};def to_ary = {arr};def to_proc = {proc};def coerce(other) = [{int}, {int}];end;
  class {constant};def deconstruct = {arr};def deconstruct_keys(keys) = {hash};end;
  class {constant};class << self;{definition}attr_accessor :{attribute};end;{definition}end;
  class {constant};@@count = {int};def self.{method} = @@count += 1;protected def {method2}({parameters}) = {any};end;
  class {constant};def [](*{var}) = {var};def []=(*{var});t {var};end;def +(x) = [:+, x];def -@ = :neg;def !; {bool};end;def call(*x, **y) = [x, y];end;
  {constant} = Struct.new(:{attribute}, :{attribute2}) { {definition} };
  {constant} = Struct.new(:{attribute}, :{attribute2}, keyword_init: {bool});
  {constant} = Data.define(:{attribute}, :{attribute2}) { {definition} };
  {constant} = Class.new({class_name}) { {definition} };
  {constant} = {any};
module 1
  module {mixin};{definition}end;class {constant};include {mixin};{definition}end;
  module {mixin};def {method}({parameters}) = [:{mixin}, (super rescue $!.class)];end;class {constant};prepend {mixin};{definition}end;
  module {mixin};def self.included(base) = t([:included, base]);def self.extended(base) = t([:extended, base]);{definition}end;extend {mixin};
  module {mixin};refine(Integer) { def {method} = {any} };end;
  module {mixin};module_function;{definition}end;extend {mixin};
  module {mixin};def self.const_missing(name) = {any};end;
parameters 3
  
  x
  x, y
  x = {any}
  x, y = x, *z
  *x
  *
  x, *y, z
  (x, *y), z = {int}
  x:, y: {any}
  x, y = {any}, z: {any}, **w
  **x
  x, **nil
  *x, y:, **z
  x = {int}, *y, z, w: {any}
arguments 2
  
  {var}
  {int}
  {any}
  {any}, {any}
  *{arr}
  **{hash}
  {any}, *{arr}, **{hash}
  x: {any}
  {any}, x: {any}, y: {any}
  *{any}
  **{any}
  {any}, &{proc}
  &:{method}
  {hash}
call 1
  {method}({arguments})
  {method}({arguments}) { |{parameters}| {statements} }
  ({method} {any} do |{parameters}| {statements} end)
  send(:{method}, {arguments})
  public_send(:{method})
  method(:{method}).{reflection}
  {constant}.new({arguments})
  {constant}.new({arguments}).{method}({arguments})
  {constant}.new({arguments}).{attribute}
  {constant}.{method}({arguments})
  ({constant}.new({arguments}) == {constant}.new({arguments}))
  ({constant}.new({arguments}) {compare} {constant}.new({arguments}))
  {constant}.new({arguments}).{enumeration}
  {constant}.instance_method(:{method}).{reflection}
  {constant}.new({arguments}).dup.inspect
  {constant}.instance_methods(false)
  {constant}.ancestors.first(3)
  {constant}[{arguments}]
  [{constant}.new({arguments})].flatten
  "#{{constant}.new({arguments})}"
  (1 + {constant}.new({arguments}))
  {constant}.new({arguments}).instance_variables
  {constant}.new({arguments}).with({arguments})
  {constant}.new({arguments}).instance_exec({any}) { |x| {statements} }
  defined?({call})
  binding.local_variables
  (local_variables - [:error])
  instance_variables
  binding.local_variable_get(:{var})
  {proc}.{reflection}
  {proc}.({arguments})
  {proc}[{any}]
  ({proc} >> {proc}).call({arguments})
  {proc}.curry
  {fiber}
  {var}.instance_of?({class_name})
  ({class_name} === {any})
  {any}.then { {chain} }
  [{any}, {any}].each_with_object([]) { |x, y| y << x }
  {any}.respond_to?(:{method})
  {any}.itself.frozen?
  __method__.inspect
fiber 1
  Fiber.new { |x| {statements}Fiber.yield({any});x }.then { |f| [f.resume({any}), f.alive?, (f.resume({any}) rescue $!.message), f.alive?] }
  Enumerator.new { |y| y << {any};y.yield({any}, {any});{any} }.then { |x| [x.next, x.peek, x.next, (x.next rescue $!.result)] }
  Enumerator.produce({int}) { |x| x + {int} }.take(3)
  {arr}.each_with_index.with_object([]).map { |(x, i), y| [x, i, y] }
  {arr}.each.with_index({int}).to_a
  {arr}.lazy.{enumeration}.first(2)
  {hash}.each_entry.to_a
  {arr}.each_entry.next
reflection 3
  arity ¦ parameters ¦ owner ¦ name ¦ inspect.sub(/ \S*:\d+/, '') ¦ lambda? ¦ curry ¦ to_proc.lambda? ¦ source_location.class
  unbind.class ¦ receiver.class ¦ original_name ¦ super_method
chain 1
  {var}
  {arr}.{enumeration}
  {arr}.{enumeration}.{enumeration}
  ({hash}).{enumeration}
  {range}.{enumeration}
  ({hash}).{hash_call}
  {arr}.{array_call}
  {str}.{string_call}
  {str}.{string_call}.{string_call}
  ({any}).{enumeration}
  ({any})&.{array_call}
  {int}.{integer_call}
  {float}.{float_call}
  {sym}.{symbol_call}
  {range}.{range_call}
  {var}.{array_call}
  {var}.{string_call}
  {var}.{hash_call}
enumeration 2
  to_a
  first
  map {block}
  select {block}
  reject {block}
  each {block}
  each_with_index {block}
  each_with_index.map {block}
  each_slice(2).to_a
  each_cons(2).to_a
  inject {block}
  inject(:+)
  inject({any}) {block}
  reduce({any}, :+)
  sum
  sum {block}
  group_by {block}
  partition {block}
  chunk_while {block}.to_a
  slice_when {block}.to_a
  sort
  sort_by {block}
  min
  max {block}
  min_by {block}
  minmax
  tally
  zip({arr})
  each_entry.to_a
  flat_map {block}
  find {block}
  find_index({any})
  take_while {block}
  drop_while {block}
  any? {block}
  all?({any})
  none? {block}
  one?
  count {block}
  to_h {block}
  to_set
  each_with_object([]) {block}
  filter_map {block}
  uniq {block}
  cycle.first(3)
  include?({any})
  first({int})
  entries
  reverse_each.to_a
  lazy.map {block}.first(2)
  zip({arr}) {block}
  map(&:{method})
  map(&:to_s)
  sum({any})
  to_h
  chunk {block}.to_a
  compact
  each_entry {block}
  map{passed}
  select{passed}
  each_slice(2).map{passed}
  sort_by{passed}
  group_by{passed}
  inject{passed}
  each_with_index.map{passed}
  flat_map{passed}
array_call 1
  size
  []({index})
  []({index}, {int})
  []({range})
  dig({index}, {index})
  fetch({int})
  fetch({int}, {any})
  fetch({int}) {block}
  values_at({int}, {range})
  push({any})
  {mutation}
  flatten
  flatten({int})
  compact
  transpose
  product({arr})
  combination(2).to_a
  permutation(2).first(3)
  rotate({int})
  first({int})
  last({int})
  take({int})
  drop({int})
  join({str})
  pack({pack})
  assoc({any})
  bsearch {block}
  +({arr})
  -({arr})
  &({arr})
  |({arr})
  *({int})
  *({str})
  <=>({arr})
  ==({arr})
  hash.==({arr}.hash)
  to_s
  inspect
  frozen?
  slice!({index})
  insert({int}, {any})
  delete_if {block}
  fill({any})
  fill {block}
  fill({any}, {int}, {int})
  sum
  minmax
  each_slice({int}).to_a
  union({arr}, {arr})
  intersect?({arr})
  eql?({arr})
  freeze.map! {block}
  dup.<<({any})
  partition {block}
mutation 1
  clear
  <<({any})
  push({any}, {any})
  pop
  shift({int})
  unshift({any})
  concat({arr})
  map! {block}
  select! {block}
  reject! {block}
  sort!
  sort_by! {block}
  uniq!
  compact!
  flatten!
  reverse!
  rotate!
  delete({any})
  delete_at({int})
  replace({any})
  store({any}, {any})
  merge!({hash})
  update({hash}) {block}
  transform_values! {block}
  delete_if {block}
  keep_if {block}
  upcase!
  gsub!({regexp}, {str})
  sub!({regexp}) {block}
  insert({int}, {str})
  prepend({str})
  squeeze!
  tr!({str}, {str})
  slice!({range})
  chomp!
  setbyte({int}, {int})
  force_encoding({encoding})
  send(:default=, {any})
  compare_by_identity
  instance_variable_set(:@{attribute}, {any})
  []=({int}, {any})
  []=({int}, {int}, {any})
hash_call 1
  size
  []({any})
  fetch({any})
  fetch({any}, {any})
  fetch({any}) {block}
  dig({sym}, {index})
  key({any})
  invert
  merge({hash})
  merge({hash}) {block}
  transform_values {block}
  transform_keys {block}
  transform_keys({hash})
  filter_map {block}
  select {block}
  reject {block}
  min_by {block}
  sort_by {block}
  sum {block}
  group_by {block}
  each_with_index.to_a
  to_a
  any? {block}
  all? {block}
  find {block}
  slice({sym}, {sym})
  except({sym})
  {mutation}
  values_at({sym}, {any})
  key?({any})
  value?({any})
  compact
  default
  to_a.transpose
  ==({hash})
  <=({hash})
  each_pair {block}
  reduce {block}
  partition {block}
  inspect
  to_proc.call({any})
  deconstruct_keys(nil)
  fetch_values({sym}, {sym})
  assoc({any})
  compare_by_identity.inspect
  delete({any}) {block}
  flat_map {block}
  zip({arr})
  sort
  hash.==({hash}.hash)
  count
  entries
  then { |x:, **y| [x, y] }
string_call 4
  size
  upcase
  capitalize
  swapcase
  reverse
  succ
  chars
  bytes.sum
  lines
  split
  split({str})
  split({regexp}, {int})
  []({index})
  []({index}, {int})
  []({range})
  []({regexp})
  []({str})
  index({str})
  index({regexp}, {int})
  rindex({str})
  byteindex({str})
  +({str})
  *({int})
  %({any})
  %([{any}, {any}])
  =~({regexp})
  match({regexp}).to_a
  match?({regexp})
  scan({regexp})
  gsub({regexp}, {str})
  gsub({regexp}) {block}
  gsub({regexp}, {hash})
  sub({regexp}, '[\\0]')
  tr({str}, {str})
  delete({str})
  squeeze
  count({str})
  center({int}, {str})
  ljust({int})
  partition({str})
  rpartition({regexp})
  start_with?({str})
  end_with?({str})
  delete_prefix({str})
  chomp({str})
  strip
  to_i
  to_i({int})
  to_f
  to_r
  to_c
  to_sym
  hex
  ord
  unpack({pack})
  unpack1({pack})
  each_char.with_index.to_a
  encoding
  encode({encoding}).inspect
  force_encoding({encoding}).valid_encoding?
  b.inspect
  inspect
  dump
  dump.undump
  <=>({str})
  casecmp({str})
  casecmp?({str})
  eql?({str})
  {mutation}
  unicode_normalize(:nfd).size
  each_grapheme_cluster.to_a
  insert({int}, {str})
  upto({str}).first(4)
  between?({str}, {str})
  sum
  crypt('ab').size
  hash.==({str}.hash)
  byteslice({int}, {int})
  bytesplice({int}, {int}, {str})
  slice({range})
  codepoints
  scrub({str})
  freeze.{mutation}
  -@
  +@
  ascii_only?
  next
  prepend({str})
integer_call 2
  abs ¦ succ ¦ **({int}) ¦ fdiv({int}) ¦ divmod({number}) ¦ %({number}) ¦ /({number}) ¦ <=>({any}) ¦ to_s({int}) ¦ digits
  pow({int}, {int}) ¦ gcd({int}) ¦ round({int}) ¦ floor({int}) ¦ ceil(-1) ¦ []({int}) ¦ []({int}, {int}) ¦ <<({int})
  >>({int}) ¦ &({any}) ¦ |({int}) ¦ ^({int}) ¦ bit_length ¦ times.to_a.first(3) ¦ upto({int}).first(3)
  step({number}, {number}).first(3) ¦ clamp({int}, {int}) ¦ clamp({range}) ¦ coerce({any}) ¦ chr ¦ ceildiv({int})
  between?({any}, {any}) ¦ integer? ¦ to_r ¦ to_c ¦ ==({any}) ¦ zero? ¦ size ¦ nobits?({int}) ¦ inspect ¦ -@ ¦ ~
  remainder({number}) ¦ allbits?({int}) ¦ rationalize ¦ Integer.sqrt({int})
float_call 2
  round({int}) ¦ floor({int}) ¦ to_i ¦ to_r ¦ to_s ¦ ceil ¦ nan? ¦ divmod({number}) ¦ %({number}) ¦ <=>({any}) ¦ **({number})
  rationalize(0.01) ¦ next_float ¦ round(half: :even) ¦ truncate({int}) ¦ infinite? ¦ abs ¦ to_c ¦ coerce({any})
  quo({number}) ¦ step({number}, 0.5).first(3) ¦ clamp(0, 1) ¦ eql?({any}) ¦ prev_float
symbol_call 2
  to_proc.call({any}) ¦ size ¦ <=>({any}) ¦ []({index}) ¦ inspect ¦ succ ¦ to_s ¦ upcase ¦ ==({any}) ¦ to_proc.arity
  end_with?({str}) ¦ =~({regexp}) ¦ to_proc.parameters
range_call 2
  to_a.first(4) ¦ sum ¦ step({int}).first(3) ¦ %({int}) ¦ include?({any}) ¦ cover?({range}) ¦ ===({any}) ¦ minmax ¦ size
  begin ¦ last({int}) ¦ each_slice(2).first(2) ¦ exclude_end? ¦ ==({range}) ¦ inspect ¦ reverse_each.first(2)
  overlap?({range}) ¦ eql?({range}) ¦ hash.==({range}.hash) ¦ first({int}) ¦ count ¦ bsearch {block} ¦ to_s ¦ min
  max {block}
block 2
  { |x| x }
  { |x| x.to_s }
  { {any} }
  { |x| {any} }
  { |x, y| [y, x] }
  { |x, y| {any} }
  { |x| next {any} if {bool};x }
  { |x| break {any} if {bool};{any} }
  { |x| {statements} }
  { |(x, y), z| [x, y, z] }
  { |x, *y| y }
  { |x, y = {any}, *z| z << x }
  { |*x| x }
  { |x;y| y = x;y }
  { |x:, **y| x }
  { |x, k: {any}| [x, k] }
  { _1 }
  { [_1, _2] }
  { it }
  { it.to_s + {str} }
  { |x| x <=> {any} }
  { |x, y| x {operator} y }
  { |x, y| y <=> x }
  { |x| x {operator} {number} }
  { |x| raise {error}, x.inspect if {bool};x }
  { |x| [x] => {pattern} }
  { |x| a = x;b = a }
  { |x| throw :done, x }
  { |x| return x }
  do |x| {statements} end
passed 1
  (&:to_s)
  (&:{method})
  (&{proc})
  (&method(:{method}))
  (&nil)
proc 2
  ->(x) { x }
  proc { |x| x }
  ->({parameters}) { {statements} }
  proc { |{parameters}| {any} }
  lambda { |{parameters}| {any} }
  :{method}.to_proc
  method(:{method})
  proc { |x, y| return x }
  ->(x, y = 2, *z) { [x, y, z] }
  :upcase.to_proc
  {hash}.to_proc
  proc {block}
  lambda {block}
pattern 4
  {var}
  _
  {literal}
  {class_name}
  nil
  1..
  2..5
  [{pattern}, *]
  [{pattern}, {pattern}]
  [*, {pattern}, *]
  [{var}, *{var}]
  {x: {pattern}}
  {x:, **}
  {x: {pattern}, **nil}
  {a: {pattern}, **rest}
  {}
  []
  {class_name} | nil | {literal}
  {class_name} => w
  ^a
  ^({any})
  {class_name}({pattern})
  {constant}[{pattern}, *]
  {constant}(x:)
  'abc'
  {regexp}
  ->(x) { {bool} }
  in_vain
literal 3
  0 ¦ 1 ¦ 'a' ¦ :a ¦ nil ¦ 1.5 ¦ true ¦ -1
any 5
  {int}
  {str}
  {sym}
  nil
  {var}
  {arr}
  {hash}
  {float}
  {bool}
  {range}
  {regexp}
  {var}
  {class_name}
  {chain}
  {call}
  ({any} || {any})
  ({any} && {any})
  ({any} {operator} {any})
  ({bool} ? {any} : {any})
  ({var} = {any})
  ({var} {assign} {any})
  (if {bool} then {any} else {any} end)
  (case {any} when {any} then {any} else {any} end)
  (begin;{any};ensure;{any};end)
  (begin;{any};rescue => x;x.message;end)
  ({statement})
  ({any} in {pattern})
  (not({any}))
  (!{any})
  (-{any})
  @{attribute}
  $saved
  {var}[{index}]
  {var}.{attribute}
  defined?({any})
  defined?(@{attribute})
  ({any}).class
  ({any}).frozen?
  ({any}).nil?
  ({any}).inspect
  ([{any}, {any}].hash == [{any}, {any}].hash)
  ({any}).to_a
  Array({any})
  String({any})
  Integer({any}, exception: false)
  Float({any}, exception: false)
  Rational({any})
  Hash({any})
  ({any}).dup
  ({any} == {any})
  ({any}).eql?({any})
  ({any}).equal?({any})
  ({any} <=> {any})
  [*{any}]
  [*{any}, {any}, *{range}]
  ({any}).instance_variables
  3i
  2.5r
  format({format}, {any}, {any})
bool 3
  true ¦ false ¦ {var} ¦ {var}.nil? ¦ ({number} {compare} {number}) ¦ ({any} == {any}) ¦ ({str} =~ {regexp})
  ({bool} && {bool}) ¦ ({bool} and {bool}) ¦ (!{bool}) ¦ {arr}.include?({any}) ¦ {any}.is_a?({class_name})
  ({class_name} === {any}) ¦ ({bool} ^ {bool}) ¦ ((({int} == {int})..({int} == {int})) ? true : false) ¦ more ¦ block_given?
  ({any} in {pattern}) ¦ ({range} === {any})
operator 10
  + ¦ - ¦ * ¦ / ¦ % ¦ ** ¦ <=> ¦ == ¦ < ¦ >= ¦ & ¦ | ¦ << ¦ >> ¦ === ¦ =~ ¦ != ¦ eql? ¦ ^
compare 6
  < ¦ > ¦ <= ¦ >= ¦ == ¦ != ¦ <=>
number 1
  {int} ¦ {float} ¦ {int} ¦ 3r ¦ 2i ¦ {var}
int 17
  0 ¦ 1 ¦ 2 ¦ 3 ¦ -1 ¦ 7 ¦ 10 ¦ 255 ¦ -8 ¦ 100 ¦ 1_000 ¦ 0x1f ¦ 0b101 ¦ (2**64) ¦ (2**62) ¦ (-2**63) ¦ 4611686018427387904
  ({int} + {int}) ¦ ({int} - {int}) ¦ ({int} * {int}) ¦ {var} ¦ {arr}.size ¦ {str}.length ¦ {int}.abs ¦ ({int} % 7)
  ({int} / 3) ¦ {float}.to_i ¦ {arr}.sum ¦ {str}.to_i ¦ {sym}.size ¦ ({int} <=> {int}) ¦ ({int} & {int}) ¦ {str}.ord
float 10
  0.0 ¦ 1.5 ¦ -2.25 ¦ 1e20 ¦ 1e-7 ¦ 3.0 ¦ Float::INFINITY ¦ Float::NAN ¦ -0.0 ¦ 0.1 ¦ ({float} + {number})
  {int}.fdiv({int}) ¦ ({float} * {int}) ¦ {int}.to_f ¦ Math.sqrt({int})
str 18
  ""
  "a"
  "abc"
  'x y'
  "a,b;c"
  "héllo"
  "日本語"
  "12"
  "1.5e3"
  "A1"
  "zz"
  "\n"
  "a\tb\u0000"
  "\xff\xfe"
  "Straße"
  "aAbB"
  %q(it's)
  ("ab" "cd")
  {var}
  "#{{any}}"
  "<#{{int}}-#{{str}}>"
  ({str} + {str})
  ({str} * ({int} % 5))
  ({any}).to_s
  ({any}).inspect
  {sym}.to_s
  {str}.{string_call}
  {arr}.join({str})
  +"mutable"
  "x".freeze
  ?c
  {str}.dup
  String.new({str})
  ("%s" % {any})
  {str}.b
sym 9
  :a ¦ :b ¦ :x ¦ :y ¦ :z ¦ :"q r" ¦ :a? ¦ :[] ¦ :+ ¦ {str}.to_sym ¦ :"a#{{int}}"
arr 10
  []
  [1, 2, 3]
  [3, 1, 2]
  %w[a b c]
  [[1, 2], [3, 4]]
  [nil, 1]
  ["b", "a", "b"]
  %i[x y]
  [1, [2, [3]]]
  [1.5, 2, 1r]
  [{any}]
  [{any}, {any}]
  [{any}, {any}, {any}]
  [{int}, {int}, {int}, {int}]
  [{str}, {str}]
  {var}
  ({arr} + {arr})
  {range}.to_a.first(5)
  ({hash}).to_a
  {str}.chars
  Array.new(3) {block}
  [*{arr}, {any}]
  {arr}.{enumeration}
  {arr}.{array_call}
  ([{any}] * 2)
  {arr}.dup
hash 6
  {}
  {a: 1}
  {x: 1, y: 2}
  {"a" => 1, b: nil}
  {1 => :a, 2 => :b}
  {a: {b: [1, 2]}}
  {x: 1, "y": {any}}
  {{sym} => {any}}
  {a:, b:}
  {a: {any}, x: {any}, b: {any}}
  {**{hash}, x: {any}}
  {{any} => {any}, {any} => {any}}
  Hash.new({any})
  Hash.new { |x, y| x[y] = {any} }
  {var}
  {arr}.to_h { |x| [x, {any}] }
  {arr}.tally
  {arr}.group_by {block}
  ({hash}).merge({hash})
  {arr}.each_with_index.to_h
  ({hash}).{hash_call}
range 8
  (1..3) ¦ (0...4) ¦ Endless.new(1, nil) ¦ (..2) ¦ ('a'..'e') ¦ (-2..-1) ¦ (1..0) ¦ (nil..nil) ¦ (1.0..2.5) ¦ (({int} % 5)..({int} % 30))
  (({int} % 7)...({int} % 9)) ¦ ({str}[0]..{str}[0]) ¦ Range.new({any}, {any}, {bool})
index 8
  0 ¦ 1 ¦ -1 ¦ 2 ¦ 5 ¦ :a ¦ :x ¦ "a" ¦ {range} ¦ {int} ¦ {any}
regexp 15
  /a/ ¦ /b+/ ¦ /\w/ ¦ /(\d)(\w)?/ ¦ /(?<n>[a-c])/ ¦ /^/ ¦ /$/ ¦ /x*/ ¦ /[[:alpha:]]+/i ¦ /(a|b)\1/ ¦ /(?=b)/ ¦ /\s|,/ ¦ /./m
  /(?<!a)b/ ¦ /\p{L}/ ¦ /é/ ¦ /#{{str}}/ ¦ /\b/ ¦ /[^a-z]/ ¦ /(?i)A/ ¦ Regexp.union({str}, {str}) ¦ //
pack 5
  'C*' ¦ 'U*' ¦ 'N' ¦ 'a3' ¦ 'A*' ¦ 'm' ¦ 'H*' ¦ 'w' ¦ 'n2' ¦ 'e' ¦ 'q<' ¦ 'Z*' ¦ 'b8' ¦ 'u' ¦ 'M' ¦ 'x2C'
format 5
  '%d %s' ¦ '%05.1f|%-6s|' ¦ '%x %o' ¦ '%+d %p' ¦ '%s %%' ¦ '%e %g' ¦ '%c %s' ¦ '%<a>d' ¦ '%{x}' ¦ '%2$s %1$s' ¦ '%b %#x'
  '% d %08.3e' ¦ '%*d' ¦ '%.2s'
encoding 4
  'UTF-8' ¦ 'ASCII-8BIT' ¦ 'US-ASCII' ¦ 'UTF-16LE' ¦ 'ISO-8859-1' ¦ 'Windows-31J' ¦ 'EUC-JP' ¦ 'nope'
class_name 8
  Integer ¦ String ¦ Array ¦ Hash ¦ Object ¦ Numeric ¦ Symbol ¦ NilClass ¦ Comparable ¦ Proc ¦ {constant} ¦ StandardError
  BasicObject ¦ Enumerable ¦ Float
error 6
  StandardError ¦ ArgumentError ¦ TypeError ¦ RuntimeError ¦ NameError ¦ IndexError ¦ KeyError ¦ StopIteration
  ZeroDivisionError ¦ FrozenError ¦ NoMatchingPatternError ¦ LocalJumpError ¦ FloatDomainError ¦ RangeError
var 6
  a ¦ b ¦ c ¦ d ¦ e ¦ x
method 3
  m1 ¦ m2 ¦ m3
method2 3
  m1 ¦ m2 ¦ m3
attribute 2
  p1 ¦ p2
attribute2 3
  q1 ¦ q2
constant 3
  K1 ¦ K2 ¦ K3
mixin 3
  X1 ¦ X2
