# frozen_string_literal: true

# What RubyGems asks each implementation of Ruby for: folders, and the libraries that are there without being installed. RubyGems
# requires this file by the engine's name.
module Gem
  # The libraries that Carat carries and that exist as gems, with the versions whose interfaces they have.
  module CarriedGems
    HOME = File.join(RbConfig::CONFIG["libdir"], "carat", "gems", RbConfig::CONFIG["ruby_version"]).freeze

    VERSIONS = {
      "abbrev" => "0.1.2", "base64" => "0.3.0", "benchmark" => "0.5.0", "bigdecimal" => "4.0.1", "date" => "3.5.1",
      "delegate" => "0.6.1", "did_you_mean" => "2.0.0", "digest" => "3.2.1", "english" => "0.8.1", "erb" => "6.0.1",
      "error_highlight" => "0.7.1", "etc" => "1.4.6", "fcntl" => "1.3.0", "fileutils" => "1.8.0", "find" => "0.2.0",
      "forwardable" => "1.4.0", "getoptlong" => "0.2.1", "io-console" => "0.8.2", "io-nonblock" => "0.3.2",
      "io-wait" => "0.4.0", "ipaddr" => "1.2.8", "json" => "2.18.0", "logger" => "1.7.0", "msgpack" => "1.8.0",
      "mutex_m" => "0.3.0", "net-http" => "0.9.1", "net-protocol" => "0.2.2", "observer" => "0.1.2", "oj" => "3.14.2",
      "open-uri" => "0.5.0", "open3" => "0.2.1", "openssl" => "4.0.0", "optparse" => "0.8.1", "ostruct" => "1.6.3",
      "pp" => "0.6.3", "prettyprint" => "0.2.0", "pstore" => "0.2.0", "psych" => "5.3.1", "racc" => "1.8.1",
      "resolv" => "0.7.0", "ruby2_keywords" => "0.0.5", "securerandom" => "0.4.1", "shellwords" => "0.2.2",
      "singleton" => "0.3.0", "stringio" => "3.2.0", "strscan" => "3.1.6", "tempfile" => "0.3.1", "time" => "0.4.2",
      "timeout" => "0.6.0", "tmpdir" => "0.3.1", "tsort" => "0.2.0", "uri" => "1.1.1", "weakref" => "0.1.4",
      "yaml" => "0.4.0", "zlib" => "3.2.2"
    }.freeze

    BUNDLER_PROGRAM = <<~'RUBY'
      # Bundler's command line.
      require "bundler/friendly_errors"
      Bundler.with_friendly_errors do
        require "bundler/cli"
        Bundler::CLI.start(%w[help --help].include?(ARGV.first) ? ["help", *ARGV.drop(1)] : ARGV, debug: true)
      end
    RUBY
    private_constant :BUNDLER_PROGRAM

    class << self
      # The folder of their specifications. RubyGems reads files, so they are written when they are first asked for; the folder's
      # name tells what is in it, and one that exists is complete.
      def specifications_folder = File.join(folder, "specifications", "default")

      private

      def folder
        @folder ||= File.join(File.dirname(RbConfig::CONFIG["rubyhdrdir"]), "gems-#{hash_of([BUNDLER_PROGRAM, *versions])}").tap do |name|
          write(name) unless File.directory?(name)
        end
      end

      def hash_of(list) = list.join(",").each_byte.inject(0) { |hash, byte| (hash * 31 + byte) & 0xffff_ffff_ffff }.to_s(16)

      def versions = @versions ||= {**VERSIONS, "bundler" => bundler_version}.compact

      # Of the Bundler that came with RubyGems, if one did.
      def bundler_version
        file = File.join(File.dirname(Gem.method(:paths).source_location.first), "bundler/version.rb")
        File.read(file)[/VERSION = "([\w.]+)"/, 1] if File.file?(file)
      end

      def write(name)
        unfinished = "#{name}.#{Process.pid}"
        versions.each { |gem, version| write_specification(unfinished, gem, version) }
        if versions["bundler"]
          %w[bundle bundler].each { |program| write_file("#{unfinished}/gems/bundler-#{versions["bundler"]}/exe/#{program}", BUNDLER_PROGRAM) }
        end
        File.rename(unfinished, name)
      rescue SystemCallError
        # Another process was faster, or nothing can be written here: then there are no such gems.
        require "fileutils"
        FileUtils.rm_rf(unfinished)
      end

      def write_specification(folder, gem, version)
        programs = gem == "bundler" ? "  s.bindir = \"exe\"\n  s.executables = [\"bundle\", \"bundler\"]\n" : ""
        write_file("#{folder}/specifications/default/#{gem}-#{version}.gemspec", <<~RUBY)
          # -*- encoding: utf-8 -*-
          # stub: #{gem} #{version} ruby lib

          Gem::Specification.new do |s|
            s.name = #{gem.dump}
            s.version = #{version.dump}
            s.authors = ["Carat"]
            s.summary = "Part of Carat."
          #{programs}end
        RUBY
      end

      def write_file(path, text)
        folders = []
        folder = path
        folders.unshift(folder) until File.directory?(folder = File.dirname(folder))
        folders.each { |missing| Dir.mkdir(missing) }
        File.write(path, text)
      end
    end
  end

  class << self
    # A package of RubyGems may have said something else for another Ruby. Methods that take others' place go first, for -w.
    %i[default_dir default_bindir default_specifications_dir default_exec_format extension_api_version].each do |name|
      remove_method(name) if method_defined?(name, false)
    end

    # Where gems are that belong to this installation.
    def default_dir
      @default_dir ||= CarriedGems::HOME
    end

    # Programs of gems stand next to Carat.
    def default_bindir = RbConfig::CONFIG["bindir"]

    # A program that has other default gems names another folder for them.
    def default_specifications_dir
      @default_specifications_dir ||=
        if default_dir == CarriedGems::HOME then CarriedGems.specifications_folder
        else File.join(default_dir, "specifications", "default")
        end
    end

    # What programs of gems are called: as Carat is called differently, they are as well.
    def default_exec_format
      format = RbConfig::CONFIG["ruby_install_name"].sub(/carat|ruby/, "%s")
      format.include?("%s") ? format : "%s"
    end

    # Extensions that were built for another Ruby are not Carat's, though both may use one folder of gems.
    def extension_api_version = "#{ruby_api_version}-carat"
  end

  class << Specification
    remove_method(:load_defaults) if method_defined?(:load_defaults, false)

    # Carat's own library answers for what it has, so that no file has to be known as a gem's.
    def load_defaults = nil
  end

  # The one that loaded RubyGems.
  Kernel.remove_method(:gem) if Kernel.private_method_defined?(:gem, false)

  # Gems go in front of Carat's library, and behind what the command line names.
  own = $LOAD_PATH.index(RbConfig::CONFIG["rubylibdir"])
  if own
    $LOAD_PATH[own] = $LOAD_PATH[own].dup.tap { |folder| folder.instance_variable_set(:@gem_prelude_index, folder) }
  end
end
