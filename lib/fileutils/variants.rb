# frozen_string_literal: true

module FileUtils
  METHODS = singleton_methods(false)

  # The functions and their options, by name.
  OPT_TABLE = singleton_methods(false).each_with_object({}) do |name, table|
    options = singleton_method(name).parameters.filter_map { |kind, option| option if kind == :key }
    table[name.to_s] = options
  end.freeze

  class << self
    def commands = OPT_TABLE.keys

    def options = OPT_TABLE.values.flatten.uniq.map(&:to_s)

    def have_option?(name, option) = options_of_command(name).include?(option.to_sym)

    def options_of(name) = options_of_command(name).map(&:to_s)

    def collect_method(option) = OPT_TABLE.keys.select { |name| OPT_TABLE[name].include?(option.to_sym) }

    private

    def options_of_command(name)
      OPT_TABLE.fetch(name.to_s) { raise ArgumentError, "no such method: #{name}" }
    end

    # Gives the functions of +variant+ these options by default: private where it is included, public on itself.
    def give_defaults(variant, option, **defaults)
      variant.module_eval do
        FileUtils.collect_method(option).each do |name|
          define_method(name) { |*args, **keywords, &block| super(*args, **keywords, **defaults, &block) }
          private name
        end
        extend self
        singleton_class.__send__(:public, *METHODS)
      end
    end
  end

  # What cannot be told not to write, and here does nothing.
  LOW_METHODS = METHODS - collect_method(:noop).map(&:to_sym)

  # The functions of LOW_METHODS doing nothing.
  module LowMethods
    private

    LOW_METHODS.each { |name| define_method(name) { |*, **| nil } }
  end

  # Prints every command.
  module Verbose
    include FileUtils
    FileUtils.__send__(:give_defaults, self, :verbose, verbose: true)
  end

  # Does nothing.
  module NoWrite
    include FileUtils
    include LowMethods
    FileUtils.__send__(:give_defaults, self, :noop, noop: true)
  end

  # Prints every command and does nothing.
  module DryRun
    include FileUtils
    include LowMethods
    FileUtils.__send__(:give_defaults, self, :noop, noop: true, verbose: true)
  end
end
