# WeakRef: constants, an object that is there, and one that is gone.
require "weakref"

[nil, true, false].each { |constant| p WeakRef.new(constant).to_s, WeakRef.new(constant).weakref_alive? }
object = "text"
reference = WeakRef.new(object)
p reference.upcase, reference.weakref_alive?
reference.__setobj__("other")
p reference.size

def deep(level) = level > 0 ? deep(level - 1) : WeakRef.new(Object.new)
references = Array.new(20) { deep(10) }
deep(5)
2.times { GC.start }
gone = references.find { |found| !found.weakref_alive? }
p gone.weakref_alive?
%i[to_s inspect foo == respond_to?].each { |name| p [name, (gone.public_send(name, *([1] if name.end_with?("=", "?"))) rescue $!.class)] }
