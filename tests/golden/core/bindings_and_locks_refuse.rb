# oracle: native
# Names that are no local variables, locks that are given up in the middle, and how the main thread ends.

def try(name)
  result = begin
    yield.inspect
  rescue Exception => error
    "#{error.class}: #{error.message}"
  end
  puts "#{name}: #{result}".gsub(/0x\h+/, "XX").tr("`", "'")
end

["a b", "a-b", "a?", "a!", "a=", "a\0b", "A", "@a", "$a", "9", "", "+", "é b"].each do |name|
  try("set #{name.inspect}") { binding.local_variable_set(name, 1) }
  try("get #{name.inspect}") { binding.local_variable_get(name) }
  try("defined #{name.inspect}") { binding.local_variable_defined?(name) }
end
try("set é") { b = binding; b.local_variable_set("é1_", 1); b.local_variable_get(:é1_) }

try("unlocked in synchronize") { m = Mutex.new; m.synchronize { m.unlock; 5 } }
try("unlocked, then an error") { m = Mutex.new; m.synchronize { m.unlock; raise "own" } }
try("unlocked, then a jump") { m = Mutex.new; catch(:tag) { m.synchronize { m.unlock; throw :tag, 5 } } }
try("unlocked and locked again") { m = Mutex.new; m.synchronize { m.unlock; m.lock; 5 } }
try("a queue without items") { Queue.allocate.pop(true) }
try("a sized queue without items") { SizedQueue.allocate.push(1) }
try("the main thread killed") { begin; Thread.current.kill; rescue SystemExit => exit; [exit.message, exit.status]; end }
try("a program's name") { spawn("no such program") }

# A mask holds back what a thread raises in itself.
try("raised in itself, on_blocking") do
  seen = []
  Thread.new do
    Thread.handle_interrupt(RuntimeError => :on_blocking) do
      Thread.current.raise "deferred"
      seen << :went_on
      sleep
    end
  rescue RuntimeError => error
    seen << error.message
  end.join
  seen
end
try("raised in itself, never") do
  seen = []
  begin
    Thread.handle_interrupt(RuntimeError => :never) do
      Thread.current.raise "later"
      seen << :went_on << Thread.pending_interrupt?
    end
  rescue RuntimeError => error
    seen << error.message
  end
  seen
end
try("raised in itself, immediate") do
  Thread.handle_interrupt(RuntimeError => :immediate) { Thread.current.raise "at once" }
end
try("a position too far") { require "stringio"; s = StringIO.new; s.pos = 2**63 - 1; s.write("abc") }
