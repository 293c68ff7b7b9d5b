# frozen_string_literal: true

class OptionParser
  # What is wrong with a command line.
  class ParseError < RuntimeError
    Reason = "parse error".freeze

    attr_reader :args
    attr_writer :reason
    attr_accessor :additional

    def initialize(*args, additional: nil)
      super()
      @additional = additional
      @arg0 = args.first
      @args = args
      @reason = nil
    end

    # Frames of this library are of no interest to whoever uses it.
    def self.filter_backtrace(array)
      array.reject! { |frame| frame.include?("/optparse") } unless $DEBUG
      array
    end

    def set_backtrace(array) = super(self.class.filter_backtrace(array))

    # Puts the arguments back.
    def recover(argv)
      argv[0, 0] = @args
      argv
    end

    # Names the option as it was written.
    def set_option(option, has_value)
      has_value ? @args[0] = option : @args.unshift(option)
      self
    end

    def reason = @reason || self.class::Reason

    def inspect = "#<#{self.class}: #{args.join(" ")}>"

    def message = "#{reason}: #{args.join(" ")}#{additional[@arg0] if additional}"
    alias to_s message
  end

  class AmbiguousOption < ParseError
    Reason = "ambiguous option".freeze
  end

  class NeedlessArgument < ParseError
    Reason = "needless argument".freeze
  end

  class MissingArgument < ParseError
    Reason = "missing argument".freeze
  end

  class InvalidOption < ParseError
    Reason = "invalid option".freeze
  end

  class InvalidArgument < ParseError
    Reason = "invalid argument".freeze
  end

  class AmbiguousArgument < InvalidArgument
    Reason = "ambiguous argument".freeze
  end
end
