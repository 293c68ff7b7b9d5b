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
{ call_core: "rb_funcall of a core method", call_plus: "rb_funcall of Integer#+", push_array: "rb_ary_push",
  entry_array: "rb_ary_entry", store_array: "rb_ary_store", make_array: "rb_ary_new_from_args, two",
  set_hash: "rb_hash_aset among 1,024", grow_hash: "rb_hash_aset, always another", get_hash: "rb_hash_aref",
  string_hash: "rb_hash_aset with a string", make_string: "rb_str_new", make_utf8: "rb_utf8_str_new", cat_string: "rb_str_cat",
  string_bytes: "RSTRING_PTR and RSTRING_LEN", get_ivar: "rb_ivar_get", set_ivar: "rb_ivar_set",
  set_ivar_by_name: "rb_iv_set", protect: "rb_protect", ensure: "rb_ensure", rescue: "rb_rescue",
  block_call: "rb_block_call of Array#each", is_kind: "rb_obj_is_kind_of", responds: "rb_respond_to",
  make_number: "ULL2NUM of a large number", make_float: "DBL2NUM", make_object: "rb_obj_alloc",
  new_instance: "rb_class_new_instance", intern: "rb_intern2", intern_string: "rb_str_intern" }.each do |loop, name|
  show name, nanoseconds(N) { Costs.public_send(loop, N) }, "ns"
end
show "rb_yield_values, two", nanoseconds(N) { Costs.yield_two(N) { |i, j| j } }, "ns"
show "an object of C code made", nanoseconds(N) { loop_of_points } - loop_cost, "ns"
show "@a read, plain object", nanoseconds(N) { plain.read(N) }, "ns"
show "@a read, object of C code", nanoseconds(N) { point.read(N) }, "ns"
show "@b = 1, plain object", nanoseconds(N) { plain.write(N) }, "ns"
show "@b = 1, object of C code", nanoseconds(N) { point.write(N) }, "ns"
pause_among(Object)
pause_among(Costs::ProtectedPoint)
pause_among(Costs::Point)
