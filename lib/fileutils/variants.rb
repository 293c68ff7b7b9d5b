# frozen_string_literal: true

module FileUtils
  # The functions and their options, by name.
  OPT_TABLE = singleton_methods(false).each_with_object({}) do |name, table|
    options = singleton_method(name).parameters.filter_map { |kind, option| option if kind == :key }
    table[name.to_s] = options unless options.empty?
  end.freeze
  private_constant :OPT_TABLE

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

    # A module whose functions have these options by default.
    def variant(defaults)
      Module.new do
        include FileUtils
        OPT_TABLE.each do |name, options|
          own = defaults.slice(*options)
          next if own.empty?
          define_method(name) { |*args, **keywords, &block| FileUtils.__send__(name, *args, **own, **keywords, &block) }
        end
        (FileUtils.singleton_methods(false).map(&:to_s) - ["commands", "options", "have_option?", "options_of", "collect_method"])
          .each { |name| module_function(name) if method_defined?(name) || private_method_defined?(name) }
        extend self
      end
    end
  end

  Verbose = variant({verbose: true})
  NoWrite = variant({noop: true})
  DryRun = variant({noop: true, verbose: true})
end
