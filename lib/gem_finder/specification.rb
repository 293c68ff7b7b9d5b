# frozen_string_literal: true

require "gem_finder/dependency"
require "gem_finder/platform"

module Gem
  # What a gem says of itself. Installed ones are known by the first lines of their files at first: name, version, platform and
  # folders; the rest is read when it is asked for.
  class Specification
    # `# stub: NAME VERSION PLATFORM FOLDERS`, folders separated by NULs.
    STUB = /\A# stub: (?<name>\S+) (?<version>\S+) (?<platform>\S+) (?<folders>.+)\Z/

    TEXTS = %i[
      autorequire bindir cert_chain date default_executable description email homepage installed_by_version metadata
      original_platform post_install_message required_ruby_version required_rubygems_version rubyforge_project
      rubygems_version signing_key specification_version summary
    ].freeze
    LISTS = %i[
      authors executables extensions extra_rdoc_files files licenses rdoc_options requirements test_files
    ].freeze
    REQUIREMENTS = %i[required_ruby_version required_rubygems_version].freeze

    attr_accessor :name, :require_paths, :loaded_from, :base_dir
    attr_writer(*(TEXTS - REQUIREMENTS), *LISTS, :full_gem_path)
    attr_reader :version, :platform

    TEXTS.each do |text|
      define_method(text) do
        complete
        instance_variable_get(:"@#{text}")
      end
    end

    LISTS.each do |list|
      define_method(list) do
        complete
        variable = :"@#{list}"
        instance_variable_get(variable) || instance_variable_set(variable, [])
      end
    end

    REQUIREMENTS.each do |requirement|
      define_method(:"#{requirement}=") { |*asked| instance_variable_set(:"@#{requirement}", Requirement.create(*asked)) }
    end

    def initialize(name = nil, version = nil)
      @name = name
      @version = Version.create(version) if version
      @platform = Platform::RUBY
      @metadata = {}
      @bindir = "bin"
      @require_paths = ["lib"]
      @dependencies = []
      @is_stub = false
      yield self if block_given?
    end

    # ---- what its file says ----

    def version=(version)
      @version = Version.create(version)
    end

    def platform=(platform)
      @platform = Platform.new(platform)
    end

    def author = authors.first

    def author=(name)
      @authors = [name]
    end

    def license=(name)
      @licenses = [name]
    end

    def license = licenses.first

    def executable=(name)
      @executables = [name]
    end

    def require_path=(folder)
      @require_paths = Array(folder)
    end

    def has_rdoc=(_has_it)
    end

    def add_dependency(name, *requirements) = depend(name, :runtime, requirements)
    alias add_runtime_dependency add_dependency

    def add_development_dependency(name, *requirements) = depend(name, :development, requirements)

    def dependencies
      complete
      @dependencies
    end

    def runtime_dependencies = dependencies.select(&:runtime?)

    def development_dependencies = dependencies.reject(&:runtime?)

    # Fills in what the stub left out.
    def complete
      return unless @is_stub
      @is_stub = false
      whole = Specification.evaluate(loaded_from) or return
      whole.instance_variables.each { |name| instance_variable_set(name, whole.instance_variable_get(name)) }
    end

    def to_spec = self

    # ---- where it is ----

    def full_name = platform == Platform::RUBY || platform.nil? ? "#{name}-#{version}" : "#{name}-#{version}-#{platform}"

    def gems_dir = File.join(base_dir, "gems")

    def full_gem_path = @full_gem_path ||= File.join(gems_dir, full_name)
    alias gem_dir full_gem_path

    def full_require_paths = require_paths.map { |folder| File.join(full_gem_path, folder) }

    def extension_dir = File.join(base_dir, "extensions", Platform.local.to_s, Gem.ruby_api_version, full_name)

    def bin_dir = File.join(full_gem_path, bindir)

    def bin_file(executable) = File.join(bin_dir, executable || executables.first)

    def datadir = File.join(full_gem_path, "data", name)

    def spec_file = loaded_from

    def lib_dirs_glob = File.join(full_gem_path, require_paths.size == 1 ? require_paths.first : "{#{require_paths.join(",")}}")

    def contains_requirable_file?(feature)
      full_require_paths.any? do |folder|
        file = File.join(folder, feature)
        File.file?("#{file}.rb") || (file.end_with?(".rb") && File.file?(file))
      end
    end

    # ---- activation ----

    def activated? = Gem.loaded_specs[name].equal?(self)

    # Puts the gem and those it depends on on the load path; whether it was not there yet.
    def activate
      return false if Gem.loaded_specs.key?(name)
      Gem.loaded_specs[name] = self
      activate_dependencies
      add_to_load_path
      true
    end

    def default_gem? = false

    def stubbed? = @is_stub

    # ---- comparisons ----

    def <=>(other) = [name, version] <=> [other.name, other.version]

    def ==(other) = Specification === other && full_name == other.full_name
    alias eql? ==

    def hash = full_name.hash

    def satisfies_requirement?(dependency) = dependency.matches_spec?(self)

    def to_s = "#<Gem::Specification name=#{name} version=#{version}>"

    def inspect = "#<Gem::Specification name=#{name} version=#{version}>"

    private

    def activate_dependencies
      runtime_dependencies.each { |dependency| Specification.activate(dependency, self) }
    rescue LoadError => error
      Gem.loaded_specs.delete(name)
      raise MissingSpecError === error ? error.at(spec_file) : error
    end

    def depend(name, type, requirements) = @dependencies << Dependency.new(name.to_s, *requirements, type)

    def add_to_load_path
      folders = full_require_paths
      index = Gem.load_path_insert_index
      index ? $LOAD_PATH.insert(index, *folders) : $LOAD_PATH.concat(folders)
    end

    class << self
      include Enumerable

      # Folders with specifications.
      def dirs = Gem.path.map { |folder| File.join(folder, "specifications") }

      # All installed versions that run here, by name, the newest first.
      def stubs = @stubs ||= dirs.flat_map { |folder| specs_in(folder) }.uniq(&:full_name).sort { |one, other| by_age(one, other) }

      def each(&block) = block ? stubs.each(&block) : stubs.each

      alias all to_a
      alias _all to_a

      def all_names = map(&:full_name)

      def stubs_for(name) = select { |spec| spec.name == name }

      def latest_specs(_prerelease = false) = uniq(&:name)

      # Forgets what was found.
      def reset
        @stubs = nil
      end

      # Activation leaves nothing open: the newest version that will do is taken at once.
      def unresolved_deps = {}

      def find_by_path(feature) = find { |spec| spec.contains_requirable_file?(feature) }

      def find_all_by_name(name, *requirements) = Dependency.new(name, *requirements).matching_specs

      def find_by_name(name, *requirements)
        dependency = Dependency.new(name, *requirements)
        dependency.to_spec or raise missing(dependency)
      end

      def find_by_full_name(full_name) = find { |spec| spec.full_name == full_name }

      # Activates what a dependency asks for; whether it was not there yet. Carat's own libraries and those on the load path
      # will do for one that is not installed.
      def activate(dependency, asking = nil)
        active = Gem.loaded_specs[dependency.name]
        return false if active && dependency.matches_spec?(active)
        spec = dependency.to_spec
        return activate_new(spec, active, dependency, asking) if spec
        return false if Gem.library?(dependency.name)
        raise missing(dependency)
      end

      # The specification that a file is, with its folders.
      def load(file)
        spec = evaluate(file) or return
        spec.loaded_from = File.expand_path(file)
        spec.base_dir = File.dirname(spec.loaded_from, 2)
        spec
      end

      # What the Ruby code of a file makes.
      def evaluate(file)
        return unless File.file?(file)
        spec = eval(File.read(file, encoding: "UTF-8"), TOPLEVEL_BINDING.dup, file)
        return spec if Specification === spec
        warn "[#{file}] isn't a Gem::Specification (#{spec.class} instead)."
      rescue StandardError, SyntaxError => error
        warn "Invalid gemspec in [#{file}]: #{error.message}"
        nil
      end

      private

      def by_age(one, other) = one.name == other.name ? other.version <=> one.version : one.name <=> other.name

      def specs_in(folder)
        files = Dir[File.join(folder, "*.gemspec")]
        files.filter_map { |file| stub(file) || load(file) }.select { |spec| Platform.match(spec.platform) }
      end

      # What the first lines of an installed gem's specification say.
      def stub(file)
        match = STUB.match(first_stub_line(file)) or return
        spec = allocate
        spec.instance_exec(match) do |said|
          initialize(said[:name], said[:version])
          @platform = Platform.new(said[:platform])
          @require_paths = said[:folders].split("\0")
          @is_stub = true
        end
        spec.loaded_from = file
        spec.base_dir = File.dirname(file, 2)
        spec
      end

      def first_stub_line(file)
        File.foreach(file, encoding: "UTF-8").first(2).find { |line| line.start_with?("# stub:") }.to_s.chomp
      end

      def activate_new(spec, active, dependency, asking)
        return spec.activate unless active
        raise asking ? conflict(asking, active, dependency) : already_active(spec, active, dependency)
      end

      def missing(dependency)
        kind = stubs_for(dependency.name).empty? ? MissingSpecError : MissingSpecVersionError
        kind.new(dependency.name, dependency.requirement)
      end

      def already_active(spec, active, dependency)
        text = "can't activate #{spec.full_name}, already activated #{active.full_name}. Make sure all dependencies are added to Gemfile."
        named(LoadError.new(text), dependency)
      end

      def conflict(asking, active, dependency)
        text = "Unable to activate #{asking.full_name}, because #{active.full_name} conflicts with #{dependency}"
        named(ConflictError.new(text), dependency)
      end

      def named(error, dependency)
        error.name = dependency.name
        error.requirement = dependency.requirement
        error
      end
    end
  end
end
