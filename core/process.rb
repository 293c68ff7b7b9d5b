# Process and Kernel: fork, and what waits for children.
module Process
  class << self
    # Splits the process; the child runs the block and ends, or goes on with nil.
    def fork
      pid = Primitive.process_fork
      return pid unless pid == 0
      return nil unless block_given?
      status = 0
      begin
        yield
      rescue SystemExit => e
        status = e.status
      rescue Exception => e
        $stderr.write(e.full_message(highlight: false))
        status = 1
      end
      Primitive.end_child(status)
    end

    def times
      const_set(:Tms, Struct.new(:utime, :stime, :cutime, :cstime)) unless const_defined?(:Tms, false)
      Tms.new(*Primitive.process_times)
    end

    def abort(...) = Kernel.abort(...)
    def exit(...) = Kernel.exit(...)
    def daemon(...) = raise(NotImplementedError, "daemon() function is unimplemented on this machine")

    # A thread that waits for a child and has its status as value.
    def detach(pid)
      Thread.new do
        Process.wait(pid)
        $?
      rescue Errno::ECHILD
        nil
      end
    end
  end

  class Status
    def self.wait(pid = -1, flags = 0)
      Process.wait(pid, flags)
      $?
    end
  end
end

module Primitive
  # A forked child that is done: its at_exit blocks run, its streams are flushed.
  def self.end_child(status)
    begin
      Primitive.run_at_exit
    rescue SystemExit => e
      status = e.status
    rescue NoMethodError
      status
    end
    $stdout.flush rescue nil
    $stderr.flush rescue nil
    Process.exit!(status)
  end
end

module Kernel
  def fork(&block) = Process.fork(&block)
  module_function :fork
end
