# Process and Kernel: fork, and what waits for children.
module Process
  class << self
    # Splits the process; the child runs the block and ends, or goes on with nil.
    def fork
      pid = Primitive.process_fork
      return pid unless pid == 0
      return nil unless block_given?
      error = nil
      begin
        yield
      rescue Exception => error
      end
      Primitive.process_end(error)
    end

    def times
      const_set(:Tms, Struct.new(:utime, :stime, :cutime, :cstime)) unless const_defined?(:Tms, false)
      Tms.new(*Primitive.process_times)
    end

    # Ends the process as Kernel#abort does.
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

module Kernel
  def fork(&block) = Process.fork(&block)
  module_function :fork
end
