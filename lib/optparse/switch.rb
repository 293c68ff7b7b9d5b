# frozen_string_literal: true

class OptionParser
  # One option.
  class Switch
    attr_reader :pattern, :conv, :short, :long, :arg, :desc, :block

    def self.guess(arg)
      case arg
      when "" then self
      when /\A=?\[/ then OptionalArgument
      when /\A\s+\[/ then PlacedArgument
      else RequiredArgument
      end
    end

    def self.pattern = NilClass

    def initialize(pattern = nil, conv = nil, short = nil, long = nil, arg = nil, desc = ([] if short or long), block = nil,
                   values = nil, &given)
      raise if Array === pattern
      @pattern, @conv, @short, @long, @arg, @desc, @values = pattern, conv, short, long, arg, desc, values
      @block = block || given
    end

    # Lines of the summary: names on the left, descriptions on the right; what was shown before is left out.
    def summarize(short_done = {}, long_done = {}, width = 1, max = width - 1, indent = "")
      shorts = fresh(@short, short_done)
      longs = fresh(@long, long_done)
      return if shorts.empty? && longs.empty?
      left = names(shorts, longs, max)
      right = desc.dup
      longest = left.map(&:length).max.to_i
      while longest > width && (line = left.shift)
        longest = left.map(&:length).max.to_i if line.length == longest
        line = "#{line.ljust(width)} #{right.shift}" if line.length < width && right[0] && !right[0].empty?
        yield indent + line
      end
      until left.empty? && right.empty?
        line = left.shift.to_s
        text = right.shift
        line = "#{line.ljust(width)} #{text}" if text && !text.empty?
        yield indent + line
      end
    end

    def add_banner(to)
      to << " [#{desc.first} #{arg}]" unless @short || @long
      to
    end

    # "--[no-]verbose" is "verbose".
    def switch_name = (long&.first || short&.first).sub(/\A-+(?:\[no-\])?/, "")

    def match_nonswitch?(text) = (text if @pattern =~ text unless @short || @long)

    private

    def fresh(names, done)
      Array(names).reject { |name| done[name] || !(done[name] = true) }
    end

    def names(shorts, longs, max)
      left = [shorts.join(", ")]
      longs.each do |name|
        length = left[-1].length + name.length
        length += arg.length if left.size == 1 && arg
        left << +"" unless length < max || shorts.empty?
        left[-1] << (left[-1].empty? ? " " * 4 : ", ") << name
      end
      left[0] << (left[1] ? arg.sub(/\A(\[?)=/, '\1') + "," : arg) if arg
      left
    end

    # What is left of an argument, and the parts that the pattern found in it.
    def parse_arg(arg)
      return nil, [arg] unless pattern
      match = pattern.match(arg)
      unless match
        yield(InvalidArgument, arg)
        return arg, []
      end
      parts = String === match ? [match] : match.to_a
      whole = parts[0]
      return nil, parts unless String === whole
      raise InvalidArgument, arg unless arg.start_with?(whole)
      return nil, parts if whole.length == arg.length
      yield(InvalidArgument, arg)
      [arg[whole.length..], parts]
    end

    def conv_arg(arg, values = [])
      text = values.first
      value = conv ? conv.call(*values) : SPLAT_PROC.call(*values)
      raise InvalidArgument, text if @values && !@values.include?(value)
      [arg, block, value]
    end

    class NoArgument < self
      def parse(arg, _argv)
        yield(NeedlessArgument, arg) if arg
        conv_arg(arg)
      end

      def self.pattern = Object
    end

    class RequiredArgument < self
      def parse(arg, argv, &_block)
        unless arg
          raise MissingArgument if argv.empty?
          arg = argv.shift
        end
        conv_arg(*parse_arg(arg, &method(:raise)))
      end
    end

    class OptionalArgument < self
      def parse(arg, _argv, &error)
        arg ? conv_arg(*parse_arg(arg, &error)) : omitted_argument(conv_arg(arg))
      end

      def omitted_argument(result) = result
    end

    # Takes the next argument if it does not look like an option.
    class PlacedArgument < self
      def parse(arg, argv, &error)
        if !(value = arg) && (argv.empty? || argv[0].match?(/\A-./))
          return nil, block, nil
        end
        value = parse_arg(value || argv[0], &error)
        rest = value[0]
        result = conv_arg(*value)
        if !arg && rest.nil?
          argv.shift
        else
          result[0] = nil
        end
        result
      end
    end
  end

  # Symbols that say how an argument is given.
  ArgumentStyle = {
    NO_ARGUMENT => Switch::NoArgument, REQUIRED_ARGUMENT => Switch::RequiredArgument,
    OPTIONAL_ARGUMENT => Switch::OptionalArgument, NONE: Switch::NoArgument, REQUIRED: Switch::RequiredArgument,
    OPTIONAL: Switch::OptionalArgument, PLACED: Switch::PlacedArgument, NoArgument[0] => Switch::NoArgument
  }.freeze
end
