require "./views"

# ---- views of memory ----

p Views.see(Object.new, 0, 0)
p Views.see(Views::Matrix.new, 0, 0)
p Views.see(Class.new(Views::Matrix).new, 1, 2)
["c", "|cs", "|c2l!q", "n2N", "x3S>", "eEgG", "cy", "C*"].each { |format| p [format, Views.parse(format)] }
p Views.extract("c", [-3].pack("c"))
p Views.extract("S>L<q", [1, 2, -3].pack("S>L<q"))
p Views.extract("n2g", [1, 2, 1.5].pack("nng"))
p Views.extract("d2", [0.5, -0.25].pack("dd"))

# ---- converters ----

p Views.convert("UTF-8", "ISO-8859-1", "gr\u00fcn", 0)
p Views.convert("UTF-8", "UTF-16BE", "long text", 0)
p Views.convert("UTF-8", "ISO-8859-1", "a\u3042b", 0)
p Views.convert("UTF-8", "ISO-8859-1", "a\u3042b", 0x20)
p Views.convert("UTF-8", "no such thing", "a", 0)
p Views.convert_whole("UTF-8", "ISO-8859-1", "a\u3042b\u00e9", { undef: :replace, replace: "-" })
p Views.convert_whole("UTF-8", "ISO-8859-1", "gr\u00fcn", nil)
begin
  Views.convert_whole("UTF-8", "ISO-8859-1", "\u3042", nil)
rescue Encoding::UndefinedConversionError => error
  p error.message
end

# ---- schedulers ----

class Scheduler
  def kernel_sleep(duration) = p(duration)
  def block(blocker, timeout) = nil
  def unblock(blocker, fiber) = nil
  def io_wait(io, events, timeout) = events
  def fiber_interrupt(fiber, exception) = nil
  def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)
  def close = nil
end

p Views.ask
Thread.new do
  Fiber.set_scheduler(Scheduler.new)
  Fiber.schedule { p Views.ask }
end.join

# ---- lists ----

def self.many(*list) = [list.size, list.sum]
p Views.call_many(self)
