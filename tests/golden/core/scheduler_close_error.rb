# A fiber scheduler that is closed since its thread ends reads in $! what the thread ends with.
# oracle: native
class Scheduler
  def block(*) = nil

  def unblock(*) = nil

  def kernel_sleep(*) = nil

  def io_wait(*) = nil

  def fiber_interrupt(*) = nil

  def initialize(name) = @name = name

  def scheduler_close(error = $!) = p([@name, error, $!.equal?(error)])
end

def in_thread(name)
  thread = Thread.new do
    Thread.current.report_on_exception = false
    Fiber.set_scheduler(Scheduler.new(name))
    yield
  end
  thread.join
rescue Exception => e
  p e.class
end

in_thread(:end) { 1 }
in_thread(:raise) { raise "x" }
in_thread(:rescued) do
  raise "y"
rescue
  Fiber.set_scheduler(nil)
end
in_thread(:throw) { throw :a }
in_thread(:kill) { Thread.current.kill }
in_thread(:exit) { Thread.exit }
p $!
at_exit { p [:at_exit, $!] }
Fiber.set_scheduler(Scheduler.new(:program))
exit(3)
