# CRuby 3.1 lacks some of these hooks, and the WebAssembly build of 4.0 has no threads: read against the sources of 4.0.
# What a scheduler is asked about streams, processes and sleeping mutexes.
class Scheduler
  def initialize
    @fiber = Fiber.current
    @readable, @writable, @ready, @blocked = {}, {}, [], 0
    @lock = Thread::Mutex.new
    @urgent = IO.pipe
    @calls = []
  end

  attr_reader :calls

  def fiber(*args, **options, &block)
    @calls << [:fiber, args, options] unless args.empty? && options.empty?
    Fiber.new(blocking: false) { block.call(*args) }.tap(&:transfer)
  end

  def io_wait(io, events, timeout)
    @calls << [:io_wait, events, timeout]
    @readable[io] = Fiber.current if events & IO::READABLE != 0
    @writable[io] = Fiber.current if events & IO::WRITABLE != 0
    return false if timeout
    @fiber.transfer
  ensure
    @readable.delete(io)
    @writable.delete(io)
  end

  def block(blocker, timeout = nil)
    @calls << [:block, blocker.class]
    wait
  end

  def kernel_sleep(*duration)
    @calls << [:kernel_sleep, *duration]
    if duration[0] && duration[0] > 0
      Fiber.blocking { sleep duration[0] }
    elsif duration.empty? || duration[0].nil?
      wait
    end
    true
  end

  def wait
    @blocked += 1
    @fiber.transfer
    true
  ensure
    @blocked -= 1
  end

  def unblock(blocker, fiber)
    @calls << [:unblock, blocker.class]
    @lock.synchronize { @ready << fiber }
    @urgent.last.write_nonblock(".")
  end

  Interrupt = Struct.new(:fiber, :error) do
    def transfer = fiber.raise(error)
  end

  def fiber_interrupt(fiber, error)
    @calls << [:fiber_interrupt, error.class]
    @lock.synchronize { @ready << Interrupt.new(fiber, error) }
    @urgent.last.write_nonblock(".")
  end

  def process_wait(pid, flags)
    @calls << [:process_wait, flags]
    Thread.new { Process::Status.wait(pid, flags) }.value
  end

  def io_select(*lists)
    @calls << [:io_select, lists.size]
    Thread.new { IO.select(*lists) }.value
  end

  def io_close(descriptor)
    @calls << [:io_close, descriptor.class]
    false
  end

  def run
    until @readable.empty? && @writable.empty? && @ready.empty? && @blocked == 0
      begin
        readable, writable = IO.select(@readable.keys + [@urgent.first], @writable.keys)
      rescue IOError
        # A stream was closed whose fiber has not been interrupted yet.
        readable, writable = [@urgent.first], []
      end
      @urgent.first.read_nonblock(100) if readable.delete(@urgent.first)
      readable.each { |io| @readable.delete(io)&.transfer(IO::READABLE) }
      writable.each { |io| @writable.delete(io)&.transfer(IO::WRITABLE) }
      ready, @ready = @lock.synchronize { [@ready, []] }
      ready.each(&:transfer)
    end
  end

  alias scheduler_close run
end

# With hooks that read and write buffers.
class Buffers < Scheduler
  def io_read(io, buffer, length, offset)
    @calls << [:io_read, buffer.class, buffer.locked?, length, offset]
    loop do
      count = Fiber.blocking { buffer.read(io, 0, offset) }
      return count unless count == -Errno::EAGAIN::Errno
      io_wait(io, IO::READABLE, nil)
    end
  end

  def io_write(io, buffer, length, offset)
    @calls << [:io_write, buffer.get_string, buffer.readonly?, length, offset]
    Fiber.blocking { buffer.write(io, 0, offset) }
  end
end

class Refusing < Scheduler
  def io_read(*) = -Errno::EBADF::Errno
  def io_write(*) = -Errno::EINVAL::Errno
end

def scheduled(klass = Scheduler)
  scheduler = nil
  Thread.new do
    Fiber.set_scheduler(scheduler = klass.new)
    yield scheduler
  end.join
  scheduler.calls
end

calls = scheduled do
  input, output = IO.pipe
  Fiber.schedule { p input.gets, input.readpartial(3), input.getc, input.read }
  Fiber.schedule { output << "one\n"; output.flush; output << "two, three"; output.close }
end
p calls.count([:io_wait, 1, nil]) > 0, calls.include?([:io_close, Integer])

calls = scheduled do
  input, output = IO.pipe
  Fiber.schedule { p input.wait_readable.equal?(input), input.wait(IO::READABLE, nil), input.sysread(10) }
  Fiber.schedule { output.syswrite("x") }
end
p calls.uniq.first

# More than a pipe holds, by two writers: neither is in the middle of the other.
scheduled do
  input, output = IO.pipe
  output.sync = true
  done = 0
  %w[a b].each do |letter|
    Fiber.schedule do
      output.write(letter * 200_000)
      output.close if (done += 1) == 2
    end
  end
  Fiber.schedule { p input.read.squeeze, input.closed? }
end

calls = scheduled(Buffers) do
  input, output = IO.pipe
  require "io/nonblock"
  input.nonblock = true
  Fiber.schedule { $line = input.gets }
  Fiber.schedule { output.puts "by buffers"; output.flush }
end
p $line
p calls.include?([:io_read, IO::Buffer, true, 0, 0]), calls.include?([:io_write, "by buffers\n", true, 0, 0])

refused = []
scheduled(Refusing) do
  input, output = IO.pipe
  Fiber.schedule { input.read(1) rescue refused << $!.class }
  Fiber.schedule { output.syswrite("x") rescue refused << $!.class }
end
p refused

# Whoever waits for a stream that is closed finds an error.
calls = scheduled do
  input, _output = IO.pipe
  Fiber.schedule do
    input.read
  rescue IOError => error
    p error.message
  end
  Fiber.schedule { input.close; p input.closed? }
end
p calls.include?([:fiber_interrupt, IOError])

calls = scheduled do
  input, _output = IO.pipe
  input.timeout = 0.01
  Fiber.schedule do
    input.read
  rescue IO::TimeoutError => error
    p error.message
  end
end
p calls.first

# Either process may end first, so what they gave is printed later.
outcomes = {}
calls = scheduled do
  Fiber.schedule { outcomes[:output] = `echo output` }
  Fiber.schedule { outcomes[:status] = [system("exit 3"), $?.exitstatus] }
end
p outcomes[:output], *outcomes[:status]
p calls.include?([:process_wait, 0])

calls = scheduled do
  input, output = IO.pipe
  Fiber.schedule { p IO.select([input])[0][0].equal?(input) }
  Fiber.schedule(1, 2) { |*args| p args }
  output.write "x"
end
p calls.include?([:io_select, 1]), calls.include?([:fiber, [1, 2], {}])

# A mutex that sleeps, a condition, a queue and a thread.
mutex, condition, queue, gate = Thread::Mutex.new, Thread::ConditionVariable.new, Thread::Queue.new, Thread::Queue.new
calls = scheduled do
  Fiber.schedule { mutex.synchronize { condition.wait(mutex); p :signalled } }
  Fiber.schedule { mutex.synchronize { condition.signal } }
  Fiber.schedule { p queue.pop }
  Fiber.schedule { queue << :item }
  Fiber.schedule { p Thread.new { gate.pop }.value }
  gate << :joined
end
p %i[kernel_sleep block unblock].all? { |hook| calls.any? { |call| call[0] == hook } }
p calls.filter_map { |hook, blocker| blocker if hook == :unblock }.uniq.map(&:name).sort

scheduled do
  Fiber.schedule do
    pid = fork { exit!(Fiber.scheduler || !Fiber.current.blocking? ? 1 : 0) }
    p Process.wait2(pid)[1].exitstatus
  end
end
