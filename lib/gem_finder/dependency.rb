# frozen_string_literal: true

require "gem_finder/requirement"

module Gem
  # A gem's name with a requirement.
  class Dependency
    TYPES = %i[development runtime].freeze

    attr_accessor :name
    attr_reader :type

    def initialize(name, *requirements)
      @type = Symbol === requirements.last ? requirements.pop : :runtime
      raise ArgumentError, "Valid types are #{TYPES.inspect}, not #{@type.inspect}" unless TYPES.include?(@type)
      @name = name
      @requirement = Requirement.create(*requirements)
      @prerelease = false
    end

    attr_accessor :requirement, :prerelease
    alias requirements_list requirement

    def runtime? = type == :runtime

    def prerelease? = @prerelease || requirement.prerelease?

    def latest_version? = requirement.none?

    def specific? = !requirement.none?

    def match?(object, version = nil)
      return matches_spec?(object) unless version
      name === object && requirement.satisfied_by?(Version.create(version))
    end

    def matches_spec?(spec) = name === spec.name && requirement.satisfied_by?(spec.version)
    alias === matches_spec?

    # All installed versions that will do, the newest first.
    def matching_specs = Specification.stubs_for(name).select { |spec| matches_spec?(spec) }

    # The one to take: the newest release, or what comes before it where only that will do.
    def to_spec
      specs = matching_specs
      specs.find { |spec| prerelease? || !spec.version.prerelease? } || specs.first
    end

    def to_s = "#{name} (#{requirement}#{", development" unless runtime?})"

    def inspect = "Gem::Dependency.new(#{name.inspect}, #{requirement.as_list.map(&:inspect).join(", ")}, #{type.inspect})"

    def ==(other) = Dependency === other && name == other.name && type == other.type && requirement == other.requirement
    alias eql? ==

    def hash = [name, type, requirement].hash

    def <=>(other) = name <=> other.name
  end
end
