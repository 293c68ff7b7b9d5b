# frozen_string_literal: true

# Command lines: declares options, reads them, and prints what there is.
class OptionParser
  VERSION = Version = "0.8.1"

  NoArgument = [NO_ARGUMENT = :NONE, nil].freeze
  RequiredArgument = [REQUIRED_ARGUMENT = :REQUIRED, true].freeze
  OptionalArgument = [OPTIONAL_ARGUMENT = :OPTIONAL, false].freeze

  # What stands beside "--" and does nothing.
  SPLAT_PROC = proc { |*a| a.length <= 1 ? a.first : a }
end

require "optparse/errors"
require "optparse/completion"
require "optparse/switch"
require "optparse/list"
require "optparse/acceptables"
require "optparse/defining"
require "optparse/reading"
require "optparse/officious"
require "optparse/getopts"

class OptionParser
  class << self
    def with(*args, &block)
      parser = new(*args)
      parser.instance_eval(&block)
      parser
    end

    # The number behind +arg+, or +default+ plus one.
    def inc(arg, default = nil)
      case arg
      when Integer then arg.nonzero?
      when nil then default.to_i + 1
      end
    end

    def top = DefaultList

    def accept(*args, &block) = top.accept(*args, &block)

    def reject(*args) = top.reject(*args)

    def terminate(arg = nil) = throw(:terminate, arg)

    def getopts(*args, symbolize_names: false) = new.getopts(*args, symbolize_names: symbolize_names)
  end

  attr_writer :banner, :program_name, :version, :release
  attr_accessor :summary_width, :summary_indent, :default_argv, :require_exact, :raise_unknown

  def initialize(banner = nil, width = 32, indent = " " * 4)
    @stack = [DefaultList, List.new, List.new]
    @program_name = nil
    @banner = banner
    @summary_width = width
    @summary_indent = indent
    @default_argv = ARGV
    @require_exact = false
    @raise_unknown = true
    @version = @release = nil
    add_officious
    yield self if block_given?
  end

  def inc(*args) = self.class.inc(*args)

  def terminate(arg = nil) = self.class.terminate(arg)

  def set_banner(text)
    self.banner = text
  end

  def set_program_name(name)
    self.program_name = name
  end

  def set_summary_width(width)
    self.summary_width = width
  end

  def set_summary_indent(indent)
    self.summary_indent = indent
  end

  def banner
    unless @banner
      @banner = +"Usage: #{program_name} [options]"
      visit(:add_banner, @banner)
    end
    @banner
  end

  def program_name = @program_name || File.basename($0)

  def version = @version || (defined?(::Version) && ::Version)

  def release = @release || (defined?(::Release) && ::Release) || (defined?(::RELEASE) && ::RELEASE)

  # Program, version and release, if there is a version.
  def ver
    return unless (number = version)
    text = +"#{program_name} #{[number].join(".")}"
    text << " (#{release})" if release
    text
  end

  def warn(message = $!) = super("#{program_name}: #{message}")

  def abort(message = $!) = super("#{program_name}: #{message}")

  # The list that switches are added to; all of them; a new one on top.

  def top = @stack[-1]

  def base = @stack[1]

  def new
    @stack.push(List.new)
    block_given? ? yield(self) : self
  end

  def remove = @stack.pop

  def accept(*args, &block) = top.accept(*args, &block)

  def reject(*args) = top.reject(*args)

  # Options as text: to anything with <<, or to the block, line by line.
  def summarize(to = [], width = @summary_width, max = width - 1, indent = @summary_indent, &block)
    block ||= proc { |line| to << (line.end_with?("\n") ? line : "#{line}\n") }
    visit(:summarize, {}, {}, width, max, indent, &block)
    to
  end

  def help = summarize("#{banner}".sub(/\n?\z/, "\n"))
  alias to_s help

  # On a terminal the help goes through the pager.
  def help_exit
    pager = ENV.values_at("RUBY_PAGER", "PAGER").find { |name| name && !name.empty? } if $stdout.tty?
    if pager
      IO.popen({"LESS" => "#{ENV["LESS"]} -Fe"}, pager, "w") { |output| page(output) }
    else
      puts help
    end
    exit
  end

  def to_a = summarize("#{banner}".split(/^/))

  def pretty_print(printer)
    printer.object_group(self) do
      @stack.drop(2).reject { |list| list.list.empty? }.each_with_index do |list, index|
        printer.text(":") if index == 0
        printer.breakable
        list.pretty_print(printer)
      end
    end
  end

  def inspect
    require "pp"
    pretty_print_inspect
  end

  private

  def page(output)
    output.puts help
  rescue Errno::EPIPE
    nil
  end

  def visit(name, ...)
    @stack.reverse_each { |list| list.__send__(name, ...) }
    nil
  end

  def search(kind, key)
    @stack.reverse_each do |list|
      list.search(kind, key) { |found| return block_given? ? yield(found) : found }
    end
    nil
  end
end

class OptionParser
  # Makes an Array of arguments read its own options; ARGV is one.
  module Arguable
    def self.extend_object(array)
      super
      array.instance_eval { @optparse = nil }
    end

    # Without a parser the array is a plain one again.
    def options=(parser)
      @optparse = parser
      return if parser
      singleton_class.class_eval do
        undef_method :options
        undef_method :options=
      end
    end

    def options
      @optparse ||= OptionParser.new
      @optparse.default_argv = self
      return @optparse unless block_given?
      begin
        yield @optparse
      rescue ParseError
        @optparse.warn $!
        nil
      end
    end

    def order!(**options, &block) = self.options.order!(self, **options, &block)

    def permute!(**options) = self.options.permute!(self, **options)

    def parse!(**options) = self.options.parse!(self, **options)

    def getopts(*args, symbolize_names: false, **keywords)
      options.getopts(self, *args, symbolize_names: symbolize_names, **keywords)
    end

    def initialize(*args)
      super
      @optparse = nil
    end
  end

  ARGV.extend(Arguable)
end

OptParse = OptionParser
