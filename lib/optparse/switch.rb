# frozen_string_literal: true

class OptionParser
  # One option.
  class Switch
    attr_reader :pattern, :conv, :short, :long, :arg, :desc, :block

    def self.guess(arg)
      case arg
      when "" then style = self
      when /\A=?\[/ then style = OptionalArgument
      when /\A\s+\[/ then style = PlacedArgument
      else style = RequiredArgument
      end
      incompatible_argument_styles(arg, style) unless self >= style
      style
    end

    def self.incompatible_argument_styles(arg, style)
      raise ArgumentError, "#{arg}: incompatible argument styles\n  #{self}, #{style}", ParseError.filter_backtrace(caller(2))
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
      text = @short || @long ? "" : desc.join
      to << " [#{text}]..." unless text.empty?
      to
    end

    # "--[no-]verbose" is "verbose".
    def switch_name = (long&.first || short&.first).sub(/\A-+(?:\[no-\])?/, "")

    def match_nonswitch?(text) = (text if @pattern =~ text unless @short || @long)

    # Names and descriptions for the completion of zsh.
    def compsys(short_done, long_done)
      (fresh(@short, short_done) + fresh(@long, long_done)).each do |name|
        both = name.delete_prefix("--[no-]") if name.start_with?("--[no-]")
        (both ? ["--#{both}", "--no-#{both}"] : [name]).each { |each_name| yield each_name, desc.join }
      end
    end

    def pretty_print(printer) = printer.object_group(self) { pretty_print_contents(printer) }

    def pretty_print_contents(printer)
      names = [*@short, *@long]
      if @block then printer.text(":#{@block.source_location&.join(":")}:")
      elsif names.any? then printer.text(":")
      end
      names.each do |name|
        printer.breakable
        printer.text(name)
      end
    end

    # An argument that was left out and means nothing leaves the value to the block.
    def omitted_argument(result)
      result.pop if result.size == 3 && result.last.nil?
      result
    end

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

      # Whatever comes later may take an argument.
      def self.incompatible_argument_styles(*) = nil

      def pretty_head = "NoArgument"
    end

    class RequiredArgument < self
      def parse(arg, argv, &_block)
        unless arg
          raise MissingArgument if argv.empty?
          arg = argv.shift
        end
        conv_arg(*parse_arg(arg, &method(:raise)))
      end

      def pretty_head = "Required"
    end

    class OptionalArgument < self
      def parse(arg, _argv, &error)
        arg ? conv_arg(*parse_arg(arg, &error)) : omitted_argument(conv_arg(arg))
      end

      def pretty_head = "Optional"
    end

    # Takes the next argument if it does not look like an option.
    class PlacedArgument < self
      def parse(arg, argv, &error)
        return nil, block if !(value = arg) && (argv.empty? || argv[0].match?(/\A-./))
        value = parse_arg(value || argv[0], &error)
        result = conv_arg(*value)
        if value[1] && !arg
          argv.shift
        else
          omitted_argument(result)
          result[0] = nil
        end
        result
      end

      def pretty_head = "Placed"
    end
  end

  # Symbols that say how an argument is given.
  ArgumentStyle = {
    NO_ARGUMENT => Switch::NoArgument, REQUIRED_ARGUMENT => Switch::RequiredArgument,
    OPTIONAL_ARGUMENT => Switch::OptionalArgument, NONE: Switch::NoArgument, REQUIRED: Switch::RequiredArgument,
    OPTIONAL: Switch::OptionalArgument, PLACED: Switch::PlacedArgument, NoArgument[0] => Switch::NoArgument
  }.freeze
end
