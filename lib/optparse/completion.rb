# frozen_string_literal: true

class OptionParser
  # Finds names by their beginnings.
  module Completion
    def self.regexp(key, icase) = Regexp.new("\\A" + Regexp.quote(key).gsub(/\w+\b/, '\&\w*'), icase)

    # Names are whatever can be asked for with a text.
    def self.completable?(key)
      String.try_convert(key) or defined?(key.id2name)
    end

    def self.candidate(key, icase = false, pattern = nil, &block)
      pattern ||= regexp(key, icase)
      found = []
      block.call do |name, *values|
        if Regexp === name
          next unless name === key
          text = ""
        else
          text = defined?(name.id2name) ? name.id2name : name
          next unless pattern === text
        end
        values << name if values.empty?
        found << [name, values, text]
      end
      found
    end

    def candidate(key, icase = false, pattern = nil) = Completion.candidate(key, icase, pattern, &method(:each))

    # The only candidate, or the one with which all others begin. Several others are ambiguous, which is thrown.
    def complete(key, icase = false, pattern = nil)
      first, *others = candidate(key, icase, pattern, &method(:each)).sort_by { |_, _, text| text.size }
      return unless first
      others.each do |other|
        throw :ambiguous, key unless first[1] == other[1] || other[2].start_with?(first[2])
      end
      block_given? ? yield(key, *first[1]) : [key, *first[1]]
    end

    def convert(_option = nil, value = nil, *) = value
  end

  # Names of options.
  class OptionMap < Hash
    include Completion
  end

  # Values that an argument may name.
  class CompletingHash < Hash
    include Completion

    def match(key)
      *values = fetch(key) do
        raise AmbiguousArgument, catch(:ambiguous) { return complete(key) }
      end
      [key, *values]
    end
  end
end
