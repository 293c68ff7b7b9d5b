# frozen_string_literal: true

# What programs ask RubyGems for that needs no installed gems: versions, requirements, and files on the load path.
#
# Carat activates no gems. Libraries are found where `-I` and RUBYLIB say, and `gem` takes whatever version is there.
module Gem
  VERSION = "4.0.0"

  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  class MissingSpecError < LoadError
  end

  autoload :Version, "rubygems/version"
  autoload :Requirement, "rubygems/requirement"
  autoload :Dependency, "rubygems/requirement"

  class << self
    def ruby_version = @ruby_version ||= Version.new(RUBY_VERSION)

    def rubygems_version = @rubygems_version ||= Version.new(VERSION)

    def win_platform? = false

    def java_platform? = false

    # Nothing was activated.
    def loaded_specs = @loaded_specs ||= {}

    def path = []

    # Files on the load path that match, with or without their extension.
    def find_files(glob, _check_load_path = true)
      $LOAD_PATH.flat_map { |folder| Dir[File.join(folder, "#{glob}{,.rb}")].sort.select { |file| File.file?(file) } }.uniq
    end
    alias find_latest_files find_files
    alias find_files_from_load_path find_files

    def try_activate(_path) = false
  end
end

module Kernel
  private

  # The library is the one on the load path.
  def gem(_name, *_requirements) = false
end
