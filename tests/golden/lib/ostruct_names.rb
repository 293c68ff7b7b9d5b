# oracle: native
# Attributes may have the names of methods that OpenStruct itself needs; methods of subclasses and their modules stay.
require "ostruct"

o = OpenStruct.new(class: "thing", block_given?: 42, method: 1, ancestors: 2)
p o.class, o[:block_given?], o.method
begin
  o.delete_field(:none)
rescue NameError => error
  puts error.class, error.message
end
p o.delete_field(:none) { :block }, o.delete_field(:method)

mod = Module.new { def bar = :kept }
kind = Class.new(OpenStruct) do
  include mod
  def foo = :kept
end
o = kind.new(foo: 1, bar: 2, each_pair: 3, table!: 4)
p o.foo, o.bar, o.each_pair, o[:foo], o.table! == 4
