# frozen_string_literal: true

# Gems without RubyGems: where they are, which versions there are of them, and how one gets on the load path.
#
# This is what programs get on a machine that has no RubyGems, which otherwise takes its place.
#
# Gems are looked for where GEM_HOME and GEM_PATH say, or in the folders of `Gem.default_path`; nothing here installs any. One
# is activated when `gem` names it, or when `require` finds a feature nowhere else: `Kernel#require` asks `Gem.try_activate`.
module Gem
  VERSION = "4.0.0".freeze

  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  # Two gems want different versions of a third.
  class ConflictError < LoadError
  end

  class MissingSpecError < LoadError
    def initialize(name, requirement, place = nil)
      @name = name
      @requirement = requirement
      @place = place
      super()
    end

    # The same, with the file that asked for the gem.
    def at(file) = self.class.new(name, requirement, "at: #{file}")

    def message = "Could not find '#{name}' (#{requirement}) #{found}\n#{checked}"

    private

    def found = "among #{Specification.stubs.size} total gem(s)"

    def checked = "Checked in 'GEM_PATH=#{Gem.path.join(":")}' #{@place}, execute `gem env` for more information"
  end

  # There are versions of it, but not of the kind asked for.
  class MissingSpecVersionError < MissingSpecError
    private

    def found = "- did find: [#{Specification.stubs_for(name).map(&:full_name).join(",")}]"
  end

  autoload :Version, "gem_finder/version"
  autoload :Requirement, "gem_finder/requirement"
  autoload :Dependency, "gem_finder/dependency"
  autoload :Specification, "gem_finder/specification"
  autoload :Platform, "gem_finder/platform"
  autoload :Deprecate, "gem_finder/deprecate"

  class << self
    def ruby_version = @ruby_version ||= Version.new(RUBY_VERSION)

    def rubygems_version = @rubygems_version ||= Version.new(VERSION)

    def ruby_api_version = "#{RUBY_VERSION[/\d+\.\d+/]}.0"

    def ruby = RbConfig.ruby

    def ruby_engine = RUBY_ENGINE

    def win_platform? = false

    def java_platform? = false

    def platforms = [Platform::RUBY, Platform.local]

    def suffixes = ["", ".rb"]

    # ---- folders ----

    # Where gems are that belong to this installation.
    def default_dir = File.join(RbConfig::CONFIG["libdir"], "carat", "gems", ruby_api_version)

    def user_home = Dir.home

    # Where gems are that belong to the user.
    def user_dir
      data = ENV["XDG_DATA_HOME"] || File.join(user_home, ".local", "share")
      File.join(data, "gem", "ruby", ruby_api_version)
    end

    def default_path = [user_dir, default_dir].select { |folder| File.directory?(folder) }

    def dir = ENV["GEM_HOME"] || default_dir

    # Folders with gems, the one with the user's own first.
    def path = @path ||= [ENV["GEM_HOME"], *named_folders].compact.uniq

    def paths = self

    def home = dir

    # Forgets what was found; the environment may be another one now.
    def clear_paths
      @path = nil
      Specification.reset
    end
    alias refresh clear_paths

    def bindir(folder = dir) = File.join(folder, "bin")

    # ---- features ----

    # What was activated, by name.
    def loaded_specs = @loaded_specs ||= {}

    # Files on the load path and in gems that match, with or without their extension.
    def find_files(glob, check_load_path = true)
      folders = check_load_path ? $LOAD_PATH.dup : []
      folders.concat(Specification.stubs.flat_map(&:full_require_paths))
      folders.flat_map { |folder| matching_files(folder, glob) }.uniq
    end

    def find_latest_files(glob, check_load_path = true)
      folders = check_load_path ? $LOAD_PATH.dup : []
      folders.concat(Specification.latest_specs.flat_map(&:full_require_paths))
      folders.flat_map { |folder| matching_files(folder, glob) }.uniq
    end

    def find_files_from_load_path(glob) = $LOAD_PATH.flat_map { |folder| matching_files(folder, glob) }.uniq

    # `gem(name, *requirements)`: puts a version of a gem on the load path; whether it was not there yet.
    def activate(name, *requirements) = Specification.activate(Dependency.new(name, *requirements))

    # Activates the gem that has a file which `require` did not find; whether there is one.
    def try_activate(feature)
      spec = Specification.find_by_path(feature)
      # Another version of it is there already, which has no such file.
      return false if !spec || loaded_specs.key?(spec.name)
      spec.activate
    end

    # Whether a library of that name needs no gem: Carat's own, or one on the load path.
    def library?(name)
      [name, name.tr("-", "/"), name.tr("-", "_")].any? { |feature| $LOAD_PATH.resolve_feature_path(feature) }
    end

    # Where gems go on the load path: before Carat's own library, after what the command line says.
    def load_path_insert_index = $LOAD_PATH.index(library_folder)

    def activate_bin_path(name, executable, *requirements)
      spec = Specification.find_by_name(name, *requirements)
      spec.activate
      spec.bin_file(executable)
    end

    def bin_path(name, executable = name, *requirements)
      Specification.find_by_name(name, *requirements).bin_file(executable)
    end

    # Programs installed with their gems call it; there is no file of dependencies for it to read.
    def use_gemdeps(_path = nil) = nil

    private

    def library_folder = RbConfig::CONFIG["rubylibdir"]

    def named_folders
      named = ENV["GEM_PATH"]&.split(File::PATH_SEPARATOR)&.reject(&:empty?)
      named && !named.empty? ? named.map { |folder| File.expand_path(folder) } : default_path
    end

    def matching_files(folder, glob)
      Dir[File.join(folder, "#{glob}{,.rb}")].sort.select { |file| File.file?(file) }
    end
  end
end

module Kernel
  # What the program put in its place before this was needed stays.
  core = instance_method(:gem) if method_defined?(:gem, false) || private_method_defined?(:gem, false)
  unless core&.source_location
    remove_method :gem if core
    def gem(...) = Gem.activate(...)
    private :gem
  end
end
