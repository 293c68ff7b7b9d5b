# Limits on what a block allocates, for tests.
require "loupe/live"

module Loupe
  # What a limit says of a report: nothing if it is kept.
  class Limit
    def initialize(objects: nil, bytes: nil)
      raise ArgumentError, "give a limit: objects: or bytes:" unless objects || bytes
      @limits = { objects:, bytes: }.compact
      @limits.each do |name, most|
        raise ArgumentError, "#{name}: wants a number from 0 on, not #{most.inspect}" unless Integer === most && most >= 0
      end
    end

    def kept_by?(report) = exceeded(report).empty?

    def to_s = @limits.map { |name, most| "#{digits(most)} #{name}" }.join(" and ")

    # What was allocated instead, and where.
    def complaint(report)
      over = exceeded(report).map { |name, amount| "#{digits(amount)} #{name}" }.join(" and ")
      figure = @limits.key?(:objects) ? :allocated_objects : :allocated_bytes
      unit = figure == :allocated_objects ? "objects" : "bytes"
      sites = report.rows.group_by { |row| [row.location, row.class_name] }.map do |(location, class_name), rows|
        [rows.sum(&figure), location, class_name]
      end
      sites = sites.sort_by { |sum, *place| [-sum, place] }
      lines = sites.first(10).map { |sum, location, class_name| "#{digits(sum).rjust(12)} #{unit}  #{location}  #{class_name}" }
      lines << "#{"...".rjust(12)} and #{sites.size - 10} places more" if sites.size > 10
      "expected to allocate at most #{self}, but allocated #{over}:\n#{lines.join("\n")}"
    end

    private

    def exceeded(report)
      @limits.filter_map do |name, most|
        amount = name == :objects ? report.allocated_objects : report.allocated_bytes
        [name, amount] if amount > most
      end
    end

    def digits(number) = number.to_s.gsub(/(\d)(?=(\d{3})+\z)/, '\1,')
  end

  # For Minitest and test-unit:
  #
  #   include Loupe::Assertions
  #   assert_allocations(objects: 10, bytes: 1_000) { cart.total }
  module Assertions
    # Fails if the block allocates more. What runs for the first time may allocate what later runs do not (a memo, a required
    # file): with +warm_up+ the block runs so many times before it counts.
    def assert_allocations(objects: nil, bytes: nil, warm_up: 0, message: nil, &block)
      limit = Limit.new(objects:, bytes:)
      raise ArgumentError, "no block given: assert_allocations(objects: 10) { ... }" unless block
      warm_up.times(&block)
      report = Loupe.count(&block)
      assert(limit.kept_by?(report), limit.kept_by?(report) ? nil : [message, limit.complaint(report)].compact.join("\n"))
      report
    end
  end

  # For RSpec; also where +include Loupe::Matchers+ stands:
  #
  #   expect { cart.total }.to allocate_at_most(objects: 10)
  class AllocateAtMost
    def initialize(objects: nil, bytes: nil, warm_up: 0)
      @limit = Limit.new(objects:, bytes:)
      @warm_up = warm_up
    end

    def supports_block_expectations? = true
    def supports_value_expectations? = false

    def matches?(block)
      raise ArgumentError, "allocate_at_most wants a block: expect { ... }.to allocate_at_most(...)" unless Proc === block
      @warm_up.times(&block)
      @report = Loupe.count(&block)
      @limit.kept_by?(@report)
    end

    def failure_message = @limit.complaint(@report)

    def failure_message_when_negated
      "expected to allocate more than #{@limit}, but allocated #{@report.allocated_objects} objects, #{@report.allocated_bytes} bytes"
    end

    def description = "allocate at most #{@limit}"
  end

  module Matchers
    def allocate_at_most(**limits) = AllocateAtMost.new(**limits)
  end
end
