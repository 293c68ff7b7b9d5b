# Ends what takes too long. One thread watches all that is limited.
module Timeout
  VERSION = "0.6.0"

  # What unwinds the block, and no +rescue+ without a class stops.
  class ExitException < Exception # :nodoc:
    def exception(*) = self
  end

  class Error < RuntimeError
    def self.handle_timeout(message) # :nodoc:
      unwinding = ExitException.new(message)
      yield unwinding
    rescue ExitException => error
      raise unless unwinding.equal?(error)
      raise new(message)
    end
  end

  # A block that is running.
  class Request # :nodoc:
    attr_reader :deadline

    def initialize(thread, seconds, exception, message)
      @thread = thread
      @deadline = Request.now + seconds
      @exception = exception
      @message = message
    end

    def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def interrupt = @thread.raise(@exception, @message)
  end

  # The requests of a Ractor, the next one last, and the thread that waits for it.
  class Watcher # :nodoc:
    def initialize
      @lock = Mutex.new
      @changed = ConditionVariable.new
      @requests = []
      @pid = nil
    end

    def add(request)
      @lock.synchronize do
        start unless @thread&.alive? && @pid == Process.pid
        place = @requests.rindex { |other| other.deadline >= request.deadline }
        place = place ? place + 1 : 0
        @requests.insert(place, request)
        @changed.signal if place == @requests.size - 1
      end
    end

    # After this the request interrupts nothing any more.
    def remove(request) = @lock.synchronize { @requests.delete(request) }

    private

    # A fork has the requests of its parent's threads, which are gone.
    def start
      @requests.clear unless @pid == Process.pid
      @pid = Process.pid
      @thread = Thread.new { watch }
      @thread.name = "Timeout"
      # It outlives the group of whoever came first, if that lets it go; another Ractor has a group of its own.
      ThreadGroup::Default.add(@thread) if Ractor.main? && !@thread.group.enclosed?
    end

    def watch
      @lock.synchronize do
        while true
          request = @requests.last
          left = request.deadline - Request.now if request
          if request && left <= 0
            @requests.pop.interrupt
          else
            @changed.wait(@lock, left)
          end
          left = nil
        end
      end
    end
  end

  private_constant :Request, :Watcher

  # Runs the block, which is given +sec+. After so many seconds it is ended by a Timeout::Error, or by an exception of +klass+.
  def self.timeout(sec, klass = nil, message = nil, &block)
    return yield(sec) if sec.nil? || sec.zero?
    raise ArgumentError, "Timeout sec must be a non-negative number" if 0 > sec
    message ||= "execution expired"
    if Fiber.respond_to?(:current_scheduler) && (scheduler = Fiber.current_scheduler).respond_to?(:timeout_after)
      return scheduler.timeout_after(sec, klass || Error, message, &block)
    end
    return watched(sec, klass, message, &block) if klass
    Error.handle_timeout(message) { |unwinding| watched(sec, unwinding, message, &block) }
  end

  def self.watched(sec, exception, message)
    watcher = Ractor.store_if_absent(:__timeout_watcher) { Watcher.new }
    request = Request.new(Thread.current, sec, exception, message)
    begin
      watcher.add(request)
      yield(sec)
    ensure
      watcher.remove(request)
    end
  end
  private_class_method :watched

  private

  # For classes that include the module.
  def timeout(...) = Timeout.timeout(...)
end
