# Ends what takes too long. One thread watches all that is limited.
module Timeout
  VERSION = "0.6.0".freeze

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

  # A block that is running. It either ends or is interrupted: whoever takes the lock decides. Nobody waits for a lock here, as
  # a signal handler may not.
  class Request # :nodoc:
    attr_reader :deadline

    def initialize(thread, seconds, exception, message)
      @thread = thread
      @deadline = Request.now + seconds
      @exception = exception
      @message = message
      @lock = Mutex.new
      @is_over = false
    end

    def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def over? = @is_over

    def interrupt = decide { @thread.raise(@exception, @message) }

    # After this the request interrupts nothing any more.
    def finish
      decide || Thread.pass until @is_over
    end

    private

    # Returns nil if somebody else is about to.
    def decide
      return unless @lock.try_lock
      begin
        yield if block_given? && !@is_over
        @is_over = true
      ensure
        @lock.unlock
      end
    end
  end

  # The requests of a Ractor, and the thread that watches them.
  class Watcher # :nodoc:
    def initialize
      @starting = Mutex.new
      @added = Thread::Queue.new
      @pid = nil
    end

    def add(request)
      forget unless @pid == Process.pid
      @added << request
      start unless @thread&.alive?
    end

    private

    # A fork has the requests of its parent's threads, which are gone.
    def forget
      @added = Thread::Queue.new
      @pid = Process.pid
    end

    # Who is about to start it and was interrupted by the signal whose handler is here starts it for this request too. Any other
    # thread that is about to may be killed instead.
    def start
      until @thread&.alive?
        return if @starting.owned?
        @starting.try_lock ? start_alone : Thread.pass
      end
    end

    # Gives the lock back.
    def start_alone
      return if @thread&.alive?
      added = @added
      @thread = Thread.new { watch(added) }
      @thread.name = "Timeout"
      # It outlives the group of whoever came first, if that lets it go; another Ractor has a group of its own.
      ThreadGroup::Default.add(@thread) if Ractor.main? && !@thread.group.enclosed?
    ensure
      @starting.unlock
    end

    # Waits for the next request, or for the time of the first one. The last of +requests+ is the first one due. Those that are
    # over go when they are as many again as were left last time.
    def watch(added)
      requests = []
      limit = 8
      while true
        left = requests.last.deadline - Request.now unless requests.empty?
        if left && left <= 0
          requests.pop.interrupt
        elsif (request = added.pop(timeout: left))
          place = requests.rindex { |other| other.deadline >= request.deadline }
          requests.insert(place ? place + 1 : 0, request) unless request.over?
          if requests.size > limit
            requests.reject!(&:over?)
            limit = [requests.size * 2, 8].max
          end
        end
        requests.pop while requests.last&.over?
        left = request = nil
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

  def self.watcher = Ractor[:__timeout_watcher] || Ractor.store_if_absent(:__timeout_watcher) { Watcher.new }
  private_class_method :watcher

  # The first one may not be asked for where a signal is handled.
  watcher

  def self.watched(sec, exception, message)
    request = Request.new(Thread.current, sec, exception, message)
    begin
      watcher.add(request)
      yield(sec)
    ensure
      request.finish
    end
  end
  private_class_method :watched

  private

  # For classes that include the module.
  def timeout(...) = Timeout.timeout(...)
end
