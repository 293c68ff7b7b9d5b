# frozen_string_literal: true

module Gem
  # Numbers with dots, and letters that mark what comes before a release.
  class Version
    include Comparable

    VERSION_PATTERN = '[0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?'
    ANCHORED_VERSION_PATTERN = /\A\s*(#{VERSION_PATTERN})?\s*\z/

    def self.correct?(version) = ANCHORED_VERSION_PATTERN.match?(version.to_s)

    # The version that something stands for, which one already is.
    def self.create(input)
      return input if Version === input
      new(input)
    end

    attr_reader :version
    alias to_s version

    def initialize(version)
      unless self.class.correct?(version)
        raise ArgumentError, "Malformed version number string #{version}"
      end
      version = version.to_s.strip
      version = "0" if version.empty?
      @version = -version.gsub("-", ".pre.")
    end

    def inspect = "#<#{self.class} #{version.inspect}>"

    def segments = @segments ||= version.scan(/[0-9]+|[a-z]+/i).map { |part| part.match?(/\A\d/) ? part.to_i : part }.freeze

    def prerelease? = version.match?(/[a-zA-Z]/)

    # Without what marks it as one before the release.
    def release = prerelease? ? self.class.new(segments.take_while { |part| Integer === part }.join(".")) : self

    # The first version that "~>" excludes.
    def bump
      numbers = segments.take_while { |part| Integer === part }
      numbers.pop if numbers.size > 1
      self.class.new(numbers[0...-1].push(numbers.last.succ).join("."))
    end

    def approximate_recommendation = "~> #{segments.take_while { |part| Integer === part }.first(2).push(0).first(2).join(".")}#{".a" if prerelease?}"

    # Zeros at the end make no difference; letters come before numbers.
    def <=>(other)
      return self <=> self.class.new(other) if String === other && self.class.correct?(other)
      return unless Version === other
      here = canonical_segments
      there = other.canonical_segments
      [here.size, there.size].max.times do |index|
        left = here[index] || 0
        right = there[index] || 0
        next if left == right
        return -1 if String === left && Integer === right
        return 1 if Integer === left && String === right
        return left <=> right
      end
      0
    end

    def eql?(other) = self.class === other && version == other.version

    def hash = canonical_segments.hash

    # Numbers and letters, each without zeros at the end.
    def canonical_segments
      letters = segments.index { |part| String === part } || segments.size
      [segments[0...letters], segments[letters..]].flat_map { |part| part.reverse.drop_while { |number| number == 0 }.reverse }
    end
  end
end
