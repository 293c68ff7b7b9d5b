# GC::Profiler: what the collector did since the program asked to watch it.
module GC
  # Adds up the collections and their time between +enable+ and +disable+.
  module Profiler
    @enabled = false
    @count = 0
    @time = 0

    class << self
      # Whether collections are watched.
      def enabled? = @enabled

      # Starts to watch.
      def enable
        return if @enabled
        @enabled = true
        @from = Core.gc_totals
        nil
      end

      # Stops; what was seen stays.
      def disable
        take
        @enabled = false
        nil
      end

      # Forgets what was seen.
      def clear
        take
        @count = 0
        @time = 0
        nil
      end

      # Returns the seconds that the collections took.
      def total_time
        take
        @time / 1_000_000_000.0
      end

      # Returns a Hash for the collections together, or nothing: single ones are not recorded. nil while it is not enabled.
      def raw_data
        return unless enabled?
        take
        return [] if @count == 0
        [{GC_FLAGS: {}, GC_TIME: @time / 1_000_000_000.0, GC_COUNT: @count}]
      end

      # Returns a text of what was seen, empty if that is nothing.
      def result
        take
        @count == 0 ? "" : "GC #{@count} invokes.\nTotal time(ms) #{@time / 1_000_000.0}\n"
      end

      # Writes the result.
      def report(out = $stdout)
        out.write(result)
        nil
      end

      private

      def take
        return unless @enabled
        now = Core.gc_totals
        @count += now[0] - @from[0]
        @time += now[1] - @from[1]
        @from = now
      end
    end
  end
end

module Core
  # The number of collections and their nanoseconds.
  def self.gc_totals = [GC.count, GC.total_time]
end
