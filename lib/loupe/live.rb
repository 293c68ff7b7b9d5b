# What a block allocates, told by the running program itself: Loupe.report, checks for tests, samples, and a middleware.
require "loupe.so"
require "loupe/report"

module Loupe
  # Allocations are being counted already: there is one count at a time.
  class Busy < RuntimeError; end

  autoload :Assertions, "loupe/assertions"
  autoload :AllocateAtMost, "loupe/assertions"
  autoload :Rack, "loupe/rack"

  class << self
    private :_start, :_take

    # What the block had in its registers may still lie on the stack, where the collector takes it for a reference: other calls
    # write over it.
    private def _forget(depth = 24, a = nil, b = nil, c = nil, d = nil, e = nil, f = nil, g = nil, h = nil)
      _forget(depth - 1) if depth > 0
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
  end
end
