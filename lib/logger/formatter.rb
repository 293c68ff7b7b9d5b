# frozen_string_literal: true

class Logger
  # The usual line: "I, [2001-02-03T04:05:06.123456 #42]  INFO -- name: message".
  class Formatter
    Format = "%.1s, [%s #%d] %5s -- %s: %s\n"
    DatetimeFormat = "%Y-%m-%dT%H:%M:%S.%6N".freeze

    attr_accessor :datetime_format

    def initialize
      @datetime_format = nil
    end

    def call(severity, time, progname, message)
      format(Format, severity, format_datetime(time), Process.pid, severity, progname, msg2str(message))
    end

    private

    def format_datetime(time) = time.strftime(@datetime_format || DatetimeFormat)

    def msg2str(message)
      case message
      when String then message
      when Exception then "#{message.message} (#{message.class})\n#{message.backtrace&.join("\n")}"
      else message.inspect
      end
    end
  end
end
