# What calls into C, objects of C code and collections among many of them cost.
#
#   cd bench/extension && carat extconf.rb && make && carat -I. measure.rb
#
# and the same with `ruby`, in another copy of the folder. Nanoseconds are those of the processor, the least of several rounds;
# pauses are the longest of a loop that makes objects.
require "costs"

def Costs.ruby_method(number) = number

# Instance variables of an object of C code, and of a plain one.
class Costs::Point
  def initialize = @a = @b = 1
  def read(count)
    i = 0
    i += @a while i < count
  end
  def write(count)
    i = 0
    @b = i += 1 while i < count
  end
end

class Plain
  def initialize = @a = @b = 1
  def read(count)
    i = 0
    i += @a while i < count
  end
  def write(count)
    i = 0
    @b = i += 1 while i < count
  end
end

def processor_time = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)

def nanoseconds(count)
  least = (1..7).map do
    began = processor_time
    yield
    processor_time - began
  end.min
  least * 1e9 / count
end

def show(name, value, unit) = puts(format("%-44s %9.1f %s", name, value, unit))

N = 2_000_000

def empty_loop
  i = 0
  while i < N do i += 1 end
end

def loop_of_none
  i = 0
  while i < N do Costs.take_none; i += 1 end
end

def loop_of_one
  i = 0
  while i < N do Costs.take_one(i); i += 1 end
end

def loop_of_two
  i = 0
  while i < N do Costs.take_two(i, i); i += 1 end
end

def loop_of_any
  i = 0
  while i < N do Costs.take_any(i); i += 1 end
end

def loop_of_numbers(point)
  i = 0
  while i < N do point.number; i += 1 end
end

def loop_of_points
  i = 0
  while i < N do Costs::Point.new; i += 1 end
end

# The longest time that one of many steps takes, each of which makes a few objects.
def longest_pause
  longest, last = 0.0, Process.clock_gettime(Process::CLOCK_MONOTONIC)
  400_000.times do |i|
    [i.to_s, [i]]
    now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    longest = now - last if now - last > longest
    last = now
  end
  longest
end

def pause_among(kind)
  kept = Array.new(1_000_000) { kind.new }
  GC.start
  before = GC.count
  pauses = Array.new(5) { longest_pause * 1e3 }
  show("longest pause among 1,000,000 #{kind}", pauses.min, "ms (#{GC.count - before} collections)")
  kept.size
end

loop_cost = nanoseconds(N) { empty_loop }
show "an empty loop", loop_cost, "ns"
show "C method without arguments", nanoseconds(N) { loop_of_none } - loop_cost, "ns"
show "C method with one argument", nanoseconds(N) { loop_of_one } - loop_cost, "ns"
show "C method with two arguments", nanoseconds(N) { loop_of_two } - loop_cost, "ns"
show "C method with any number, given one", nanoseconds(N) { loop_of_any } - loop_cost, "ns"
point, plain = Costs::Point.new, Plain.new
show "C method that unwraps its object", nanoseconds(N) { loop_of_numbers(point) } - loop_cost, "ns"
show "Ruby method called from C", nanoseconds(N) { Costs.call_back(N) }, "ns"
show "block yielded to from C", nanoseconds(N) { Costs.yield_back(N) { |i| i } }, "ns"

# Functions of the interface, called in loops of C code.
WITH_BLOCK = [:proc_call, :yield_two, :given]
{ call_core: "rb_funcall of a core method", call_plus: "rb_funcall of Integer#+", call_v: "rb_funcallv of Integer#+",
  call_public: "rb_funcallv_public of Integer#+", call_if: "rb_check_funcall", call_ruby_object: "rb_funcall of Array#first",
  call_array_index: "rb_funcall of Array#[]", proc_call: "rb_proc_call_with_block", yield_two: "rb_yield_values, two",
  given: "rb_block_given_p", push_array: "rb_ary_push", entry_array: "rb_ary_entry", store_array: "rb_ary_store",
  make_array: "rb_ary_new_from_args, two", array_len: "RARRAY_LEN", array_aref: "RARRAY_AREF", array_pointer: "RARRAY_CONST_PTR",
  array_pop: "rb_ary_push, rb_ary_pop", array_shift: "rb_ary_push, rb_ary_shift", check_array: "rb_check_array_type",
  make_hash: "rb_hash_new", set_hash: "rb_hash_aset among 1,024", grow_hash: "rb_hash_aset, always another",
  get_hash: "rb_hash_aref", fetch_hash: "rb_hash_lookup2", lookup_hash: "rb_hash_lookup of a string", size_hash: "RHASH_SIZE",
  each_hash: "rb_hash_foreach of one pair", string_hash: "rb_hash_aset with a string", make_string: "rb_str_new",
  make_utf8: "rb_utf8_str_new", string_dup: "rb_str_dup", cat_string: "rb_str_cat", string_append: "rb_str_append",
  string_set_len: "rb_str_set_len", string_bytes: "RSTRING_PTR and RSTRING_LEN", string_pointer: "RSTRING_PTR",
  long_pointer: "RSTRING_PTR of 1,000 bytes", string_value: "StringValue", string_value_cstr: "StringValueCStr",
  string_equal: "rb_str_equal", equal: "rb_equal of strings", to_string: "rb_obj_as_string of a number",
  sprintf_two: "rb_sprintf", enc_get_index: "rb_enc_get_index", enc_get: "rb_enc_get", enc_associate: "rb_enc_associate",
  coderange: "rb_enc_str_coderange", get_ivar: "rb_ivar_get of a module", set_ivar: "rb_ivar_set of a module",
  set_ivar_by_name: "rb_iv_set of a module", object_ivar: "rb_ivar_get of an object", object_ivar_set: "rb_ivar_set of an object",
  defined_ivar: "rb_ivar_defined", protect: "rb_protect", ensure: "rb_ensure", rescue: "rb_rescue", rescue2: "rb_rescue2",
  raise: "rb_raise, rescued", block_call: "rb_block_call of Array#each", is_kind: "rb_obj_is_kind_of", class_of: "rb_obj_class",
  class_name: "rb_class2name", type_of: "TYPE of an array and a number", responds: "rb_respond_to", frozen: "rb_check_frozen",
  freeze: "rb_obj_freeze", const_get: "rb_const_get", global_get: "rb_gv_get", struct_new: "rb_struct_new",
  struct_aref: "rb_struct_aref", struct_getmember: "rb_struct_getmember", struct_get: "RSTRUCT_GET",
  range_values: "rb_range_values", long_of: "NUM2LONG", double_of: "NUM2DBL", int_of_large: "NUM2ULL of a large number",
  make_number: "ULL2NUM of a large number", make_float: "DBL2NUM", make_object: "rb_obj_alloc",
  new_instance: "rb_class_new_instance", intern: "rb_intern2", intern_text: "rb_intern of a variable", intern_string: "rb_str_intern",
  sym_to_id: "rb_sym2id", sym_to_str: "rb_sym2str", id_name: "rb_id2name", scan: "rb_scan_args with a rest",
  scan_two: "rb_scan_args", gc_register: "rb_gc_register_address and back", allocate: "xmalloc, xfree" }.each do |loop, name|
  block = WITH_BLOCK.include?(loop) ? proc { |i, j| j } : nil
  show name, nanoseconds(N) { Costs.public_send(loop, N, &block) }, "ns"
end
exit if ARGV.include?("--functions")
show "an object of C code made", nanoseconds(N) { loop_of_points } - loop_cost, "ns"
show "@a read, plain object", nanoseconds(N) { plain.read(N) }, "ns"
show "@a read, object of C code", nanoseconds(N) { point.read(N) }, "ns"
show "@b = 1, plain object", nanoseconds(N) { plain.write(N) }, "ns"
show "@b = 1, object of C code", nanoseconds(N) { point.write(N) }, "ns"
pause_among(Object)
pause_among(Costs::ProtectedPoint)
pause_among(Costs::Point)
