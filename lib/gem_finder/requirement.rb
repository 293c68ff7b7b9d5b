# frozen_string_literal: true

require "gem_finder/version"

module Gem
  # Conditions on versions: ">= 1.2", "~> 3.0".
  class Requirement
    OPS = {
      "=" => ->(version, required) { version == required },
      "!=" => ->(version, required) { version != required },
      ">" => ->(version, required) { version > required },
      "<" => ->(version, required) { version < required },
      ">=" => ->(version, required) { version >= required },
      "<=" => ->(version, required) { version <= required },
      "~>" => ->(version, required) { version >= required && version.release < required.bump }
    }.freeze
    PATTERN = /\A\s*(#{Regexp.union(OPS.keys)})?\s*(#{Version::VERSION_PATTERN})\s*\z/

    class BadRequirementError < ArgumentError
    end

    def self.create(*inputs)
      return inputs.first if inputs.size == 1 && Requirement === inputs.first
      new(*inputs.flatten.compact)
    end

    def self.default = new(">= 0")

    # An operator and a version.
    def self.parse(text)
      return ["=", text] if Version === text
      match = PATTERN.match(text.to_s) or raise BadRequirementError, "Illformed requirement [#{text.inspect}]"
      [match[1] || "=", Version.new(match[2])]
    end

    attr_reader :requirements

    def initialize(*requirements)
      requirements = requirements.flatten.compact.uniq
      requirements = [">= 0"] if requirements.empty?
      @requirements = requirements.map { |requirement| self.class.parse(requirement) }
    end

    def satisfied_by?(version)
      raise ArgumentError, "Need a Gem::Version: #{version.inspect}" unless Version === version
      requirements.all? { |operator, required| OPS[operator].call(version, required) }
    end
    alias === satisfied_by?
    alias =~ satisfied_by?

    def none? = requirements.size == 1 && requirements[0] == [">=", Version.new("0")]

    def prerelease? = requirements.any? { |_, version| version.prerelease? }

    def as_list = requirements.map { |operator, version| "#{operator} #{version}" }

    def to_s = as_list.join(", ")

    def inspect = "Gem::Requirement.new(#{as_list.map(&:inspect).join(", ")})"

    def ==(other) = Requirement === other && as_list.sort == other.as_list.sort

    def hash = as_list.sort.hash
  end
end
