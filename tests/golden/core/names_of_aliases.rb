# Core methods under two names: some are one method with an alias, which goes by its first name in backtraces, others are two.
CLASSES = [
  Array, Hash, String, Symbol, Integer, Float, Rational, Complex, Numeric, Range, Struct, Data, Set, Proc, Method, UnboundMethod, Enumerator,
  Enumerator::Lazy, Enumerator::Yielder, Enumerator::Chain, Enumerator::ArithmeticSequence, Enumerator::Product, Kernel, Module,
  Class, Object, BasicObject, Comparable, Enumerable, Exception, Time, IO, File, Dir, Regexp, MatchData, Random, Thread, Mutex, Queue,
  SizedQueue, ConditionVariable, Fiber, Binding, NilClass, TrueClass, FalseClass, Encoding, Encoding::Converter, ObjectSpace::WeakMap,
  ObjectSpace::WeakKeyMap, Process::Status, File::Stat, Thread::Backtrace::Location, TracePoint, Math, GC, ObjectSpace, Process, Marshal,
  Signal, Warning, FileTest, NameError, KeyError, StopIteration, SystemExit, FrozenError, SignalException, UncaughtThrowError,
  NoMatchingPatternKeyError, SystemCallError, Refinement, Random::Formatter,
].freeze

def aliases(of, separator, shown)
  names = of.instance_methods(false) + of.private_instance_methods(false)
  names.grep_v(/\A_/).sort.each do |name|
    original = of.instance_method(name).original_name
    puts "#{shown}#{separator}#{name}: #{original}" if original != name
  end
end
CLASSES.each do |of|
  aliases(of, "#", of)
  aliases(of.singleton_class, ".", of)
end

p [].method(:append), Set[1].method(:+), [].method(:append) == [].method(:push)
p [].method(:append).unbind == [].method(:push).unbind, [].method(:collect).name, Set.instance_method(:<)
p Set[1].map!, Set[1].filter!, {}.filter!, [].collect!

def label
  yield
rescue => e
  p e.backtrace_locations[0].label
end
label { [].freeze.append(1) }
label { [].freeze.prepend(1) }
label { Set[1] < 1 }
label { Set[1].union(1) }
label { 1.yield_self(2) }
label { [].find_all(1) { } }
label { Time.gm }

# An alias stays what it was when its method gets another body.
class Array
  def push(*) = raise("replaced")
end
p [1].append(2)

class TrueClass
  def to_s = "replaced"
end
p true, "#{true}"
