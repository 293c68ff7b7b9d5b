# frozen_string_literal: true

module Gem
  # What a gem was built for: "ruby" for those that run anywhere.
  class Platform
    RUBY = "ruby".freeze
    CURRENT = "current".freeze

    attr_reader :cpu, :os, :version

    def self.local = @local ||= new(RbConfig::CONFIG["arch"])

    def self.new(arch)
      case arch
      when nil, "", RUBY then RUBY
      when CURRENT then local
      else super
      end
    end

    # Whether gems for the platform run here.
    def self.match(platform) = platform.nil? || platform == RUBY || local === new(platform)

    def self.match_platforms?(platform, platforms) = platforms.any? { |one| one.nil? || one == platform || (one != RUBY && one === platform) }

    def initialize(arch)
      @cpu, @os, @version = arch.to_s.split("-", 3)
    end

    def to_a = [cpu, os, version]

    def to_s = to_a.compact.join("-")

    def ==(other) = Platform === other && to_a == other.to_a
    alias eql? ==

    def hash = to_a.hash

    # One that does not name a version of the system will do for all.
    def ===(other)
      other = Platform.new(other) if String === other
      Platform === other && cpu == other.cpu && os == other.os && (version.nil? || other.version.nil? || version == other.version)
    end
  end
end
