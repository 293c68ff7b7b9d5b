# frozen_string_literal: true

require "logger/formatter"
require "logger/period"
require "logger/log_device"

# Messages with a time, a severity and a program's name, for a file or a stream.
class Logger
  VERSION = "1.7.0".freeze
  ProgName = "logger.rb/1.7.0".freeze

  class Error < RuntimeError
  end

  class ShiftingError < Error
  end

  module Severity
    LEVELS = {"debug" => 0, "info" => 1, "warn" => 2, "error" => 3, "fatal" => 4, "unknown" => 5}.freeze
    private_constant :LEVELS
    DEBUG = 0
    INFO = 1
    WARN = 2
    ERROR = 3
    FATAL = 4
    UNKNOWN = 5

    # The number of a level, given by number or name.
    def self.coerce(severity)
      return severity if Integer === severity
      LEVELS[severity.to_s.downcase] || raise(ArgumentError, "invalid log level: #{severity}")
    end
  end
  include Severity

  SEV_LABEL = ["DEBUG", "INFO", "WARN", "ERROR", "FATAL", "ANY"].freeze

  attr_accessor :progname, :formatter

  # +logdev+ is a file's name, a stream or nil; a file is renamed when it is older than +shift_age+ ("daily" …), or for a
  # number, larger than +shift_size+, of which so many are kept.
  def initialize(logdev, shift_age = 0, shift_size = 1_048_576, level: DEBUG, progname: nil, formatter: nil,
                 datetime_format: nil, binmode: false, shift_period_suffix: "%Y%m%d", reraise_write_errors: [],
                 skip_header: false)
    self.level = level
    @progname = progname
    @default_formatter = Formatter.new
    self.datetime_format = datetime_format
    @formatter = formatter
    @logdev = nil
    @level_override = {}
    return unless logdev && logdev != File::NULL
    @logdev = LogDevice.new(logdev, shift_age: shift_age, shift_size: shift_size, shift_period_suffix: shift_period_suffix,
                                    binmode: binmode, reraise_write_errors: reraise_write_errors, skip_header: skip_header)
  end

  def level = level_override[level_key] || @level
  alias sev_threshold level

  def level=(severity)
    @level = Severity.coerce(severity)
  end
  alias sev_threshold= level=

  # Another level while the block runs, in this fiber.
  def with_level(severity)
    key = level_key
    before = level_override[key]
    level_override[key] = Severity.coerce(severity)
    yield
  ensure
    before ? level_override[key] = before : level_override.delete(key)
  end

  def datetime_format = @default_formatter.datetime_format

  def datetime_format=(format)
    @default_formatter.datetime_format = format
  end

  def debug? = level <= DEBUG
  def info? = level <= INFO
  def warn? = level <= WARN
  def error? = level <= ERROR
  def fatal? = level <= FATAL

  def debug!
    self.level = DEBUG
  end

  def info!
    self.level = INFO
  end

  def warn!
    self.level = WARN
  end

  def error!
    self.level = ERROR
  end

  def fatal!
    self.level = FATAL
  end

  # The message is the block's value, if that is asked for at all; then +message+ is the program's name.
  def add(severity, message = nil, progname = nil)
    severity ||= UNKNOWN
    return true if @logdev.nil? || severity < level
    progname = @progname if progname.nil?
    if message.nil?
      if block_given?
        message = yield
      else
        message = progname
        progname = @progname
      end
    end
    @logdev.write(format_message(format_severity(severity), Time.now, progname, message))
    true
  end
  alias log add

  def <<(message) = @logdev&.write(message)

  def debug(progname = nil, &block) = add(DEBUG, nil, progname, &block)
  def info(progname = nil, &block) = add(INFO, nil, progname, &block)
  def warn(progname = nil, &block) = add(WARN, nil, progname, &block)
  def error(progname = nil, &block) = add(ERROR, nil, progname, &block)
  def fatal(progname = nil, &block) = add(FATAL, nil, progname, &block)
  def unknown(progname = nil, &block) = add(UNKNOWN, nil, progname, &block)

  def reopen(logdev = nil, shift_age = nil, shift_size = nil, shift_period_suffix: nil, binmode: nil)
    @logdev&.reopen(logdev, shift_age: shift_age, shift_size: shift_size, shift_period_suffix: shift_period_suffix,
                            binmode: binmode)
    self
  end

  def close = @logdev&.close

  private

  def level_override = @level_override ||= {}

  def level_key = Fiber.current

  def format_severity(severity) = SEV_LABEL[severity] || "ANY"

  def format_message(severity, datetime, progname, message)
    (@formatter || @default_formatter).call(severity, datetime, progname, message)
  end
end
