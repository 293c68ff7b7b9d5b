# Runs one ruby/spec file with mspec and writes one line an event, so that a crash loses nothing that was done before it.
#
#   MSPEC_DIR=… SPEC_EVENTS=… ruby spec/runner.rb FILE
#
# It takes mspec's library and none of its scripts: no option parser, no formatter, no configuration file, so that a young
# implementation is asked for little more than the specs themselves ask. Events are written to SPEC_EVENTS, since specs print
# to the standard streams; fields are separated by tabs, and a newline or tab inside a field becomes a space.
$LOAD_PATH.unshift File.join(ENV.fetch("MSPEC_DIR"), "lib")
require "mspec"
require "mspec/utils/script"

# Two helpers go by the engine's name; Carat answers both as CRuby 4.0 does.
if RUBY_DESCRIPTION.start_with?("carat")
  def fixnum_max = 2**62 - 1

  def fixnum_min = -(2**62)

  module MSpecMatchers
    # CRuby's coercion errors are worded alike only from 4.1 on.
    private def raise_consistent_error(exception = Exception, _message = nil, options = nil, &block)
      RaiseErrorMatcher.new(exception, nil, options, &block)
    end
  end
end

# The same examples for every implementation, whatever its version: those of Ruby 4.0.
if RUBY_VERSION < "4.0"
  VersionGuard.send(:remove_const, :FULL_RUBY_VERSION)
  VersionGuard.const_set(:FULL_RUBY_VERSION, SpecVersion.new("4.0.0"))
end

class EventWriter
  ACTIONS = [:before, :after, :exception, :expectation, :finish]

  def initialize(path)
    @io = File.open(path, "w")
    @io.sync = true
    @expectations = 0
    ACTIONS.each { |action| MSpec.register action, self }
  end

  def before(state)
    @worst = "pass"
    @message = ""
    @inside = true
    write "start", state.description
  end

  def after(state)
    write @worst, state.description, @message
    @inside = false
  end

  # The first exception of an example names it; an expectation's failure never hides an error.
  def exception(exception)
    kind = exception.failure? ? "fail" : "error"
    return write("error", "(#{exception.description})", message_of(exception)) unless @inside
    @message = message_of(exception) if @worst == "pass"
    @worst = kind unless @worst == "error"
  end

  def expectation(_state)
    @expectations += 1
  end

  def finish
    write "done", @expectations.to_s
  end

  private

  def message_of(exception)
    place = (exception.exception.backtrace || []).find { |line| !line.include?("/mspec/") }
    "#{exception.message} [#{place}]"
  rescue Exception => error
    "a message that raises #{error.class}"
  end

  def write(*fields)
    @io.write(fields.map { |field| field.to_s.b.gsub(/[\r\n\t]+/n, " ") }.join("\t") << "\n")
  end
end

EventWriter.new(ENV.fetch("SPEC_EVENTS"))
MSpec.register_files [ARGV.shift]
MSpec.files
MSpec.actions :finish
