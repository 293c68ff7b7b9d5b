# What a block allocates, told by the running program itself: Loupe.report, checks for tests, samples, and a middleware.
require "loupe.so"
require "loupe/report"
require "loupe/samples"

module Loupe
  # Allocations are being counted already: there is one count at a time.
  class Busy < RuntimeError; end

  autoload :Assertions, "loupe/assertions"
  autoload :AllocateAtMost, "loupe/assertions"
  autoload :Rack, "loupe/rack"

  class << self
    private :_start, :_take, :_forget_native, :_start_sampling, :_stop_sampling, :_begin_leaks, :_end_leaks, :_living, :_watch, :_writers, :_classes

    # What the block had in its registers may still lie on the stack, where the collector takes it for a reference: other calls
    # write over it. They allocate nothing. So with the native stack; the first call of a site needs more of that than later ones.
    private def _forget(depth = 24, a = nil, b = nil, c = nil, d = nil, e = nil, f = nil, g = nil, h = nil)
      _forget(depth - 1) if depth > 0
      _forget_native
      # Frames of blocks write words that those of methods leave as they are.
      2.times { |i| 2.times { |j| i + j } }
    end

    # Runs the block and returns a Report of what all threads allocated while it ran, and of what of that is still there after a
    # collection.
    #
    #   puts Loupe.report { Cart.new.total }
    #
    # top::          lines of each list
    # ignore_files:: a Regexp, or part of a path, of files that do not count
    # allow_files::  files that alone count: a String, a Regexp or an Array of them
    def report(top: 50, ignore_files: nil, allow_files: nil)
      raise ArgumentError, "no block given: Loupe.report { ... }" unless block_given?
      _start
      begin
        yield
        nil
      ensure
        _forget
        found = _take(true, top)
      end
      Report.new(*found, top:, ignore_files:, allow_files:)
    end

    # As #report, without asking what is retained: no collection runs.
    def count(top: 10)
      raise ArgumentError, "no block given: Loupe.count { ... }" unless block_given?
      _start
      begin
        yield
        nil
      ensure
        found = _take(false, top)
      end
      Report.new(*found, top:)
    end

    # Begins to sample what all threads allocate: one sample for every so many bytes, in the mean. It costs little enough for a
    # program in production, and #stop_sampling may come whenever it likes.
    def start_sampling(every: SAMPLE_BYTES)
      raise ArgumentError, "every: wants a number of bytes from 1 on, not #{every.inspect}" unless Integer === every && every.positive?
      @every = every
      raise Busy, "somebody samples already: Loupe.stop_sampling ends that" unless _start_sampling(every)
      @started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      nil
    end

    # Ends sampling and returns the Samples; nil if nobody samples.
    def stop_sampling
      nodes = _stop_sampling
      nodes && Samples.new(nodes, every: @every, seconds: Process.clock_gettime(Process::CLOCK_MONOTONIC) - @started)
    end

    # Samples while the block runs.
    #
    #   Loupe.sample { app.serve(requests) }.save("samples.json")   # loupe export reads that
    def sample(every: SAMPLE_BYTES)
      raise ArgumentError, "no block given: Loupe.sample { ... }" unless block_given?
      start_sampling(every:)
      begin
        yield
        nil
      ensure
        samples = stop_sampling
      end
      samples
    end
  end

  SAMPLE_BYTES = 512 * 1024
end
