# oracle: native
# Keywords that a method does not know are errors, but for those that take any.
require "stringio"

def show(name)
  result = yield
  puts "#{name}: done"
rescue ArgumentError, TypeError, NoMethodError => e
  puts "#{name}: #{e.class} #{e.message}"
end

reader, writer = IO.pipe
show("GC.start") { GC.start(foo: 1) }
show("GC.start with its own") { GC.start(full_mark: false, immediate_mark: true, immediate_sweep: 3) }
show("ObjectSpace.garbage_collect") { ObjectSpace.garbage_collect(foo: 1) }
show("read_nonblock") { reader.read_nonblock(1, foo: 1) }
show("read_nonblock with its own") { reader.read_nonblock(1, exception: false) }
show("read_nonblock with another value") { reader.read_nonblock(1, exception: 1) }
show("write_nonblock") { writer.write_nonblock("a", foo: 1) }
show("File.open") { File.open(__FILE__, foo: 1) {} }
show("File.read") { File.read(__FILE__, foo: 1) }
show("StringIO.new") { StringIO.new("a", foo: 1) }
show("StringIO#gets") { StringIO.new("a").gets(foo: 1) }
show("String#encode") { "a".encode("UTF-16LE", foo: 1) }
show("String#lines") { "a".lines(foo: 1) }
show("String#unpack") { "a".unpack("a", foo: 1) }
show("Array#pack") { [1].pack("C", foo: 1) }
show("Array#sample") { [1].sample(foo: 1) }
show("Integer") { Integer("1", foo: 1) }
show("Complex") { Complex("1", foo: 1) }
show("Hash.new") { Hash.new(foo: 1) }
show("clone") { "".clone(foo: 1) }
show("Time.at") { Time.at(1, foo: 1) }
show("Marshal.load") { Marshal.load(Marshal.dump(1), foo: 1) }
show("Thread::Queue#pop") { Thread::Queue.new([1]).pop(foo: 1) }
show("step") { 1.step(by: 1, to: 2, foo: 3) {} }
show("round") { 1.5.round(1, foo: 1) }
show("warn") { warn("", foo: 1) }
show("full_message") { RuntimeError.new("a").full_message(foo: 1) }
show("Dir.children") { Dir.children(".", foo: 1) }
show("Regexp.new") { Regexp.new("1", foo: 1) }
