# frozen_string_literal: true

# Options of the command line, taken from `ARGV` one after the other.
#   GetoptLong.new(["--max", "-m", GetoptLong::REQUIRED_ARGUMENT]).each { |name, argument| p name, argument }
class GetoptLong
  VERSION = "0.2.1"

  class Error < StandardError
  end

  class AmbiguousOption < Error
  end

  class NeedlessArgument < Error
  end

  class MissingArgument < Error
  end

  class InvalidOption < Error
  end

  # Options end at the first word that is none; that is taken from its place; it comes as an option without a name.
  ORDERINGS = [REQUIRE_ORDER = 0, PERMUTE = 1, RETURN_IN_ORDER = 2].freeze
  ARGUMENT_FLAGS = [NO_ARGUMENT = 0, REQUIRED_ARGUMENT = 1, OPTIONAL_ARGUMENT = 2].freeze
  STATUS_TERMINATED, STATUS_YET, STATUS_STARTED = 0, 1, 2

  attr_reader :ordering, :error, :error_message

  # Errors are not written to standard error.
  attr_writer :quiet
  attr_reader :quiet
  alias quiet? quiet
  alias error? error

  # Each argument is an array of an option's names and its flag.
  def initialize(*arguments)
    self.ordering = PERMUTE
    @canonical_names = {}
    @argument_flags = {}
    @quiet = false
    @status = STATUS_YET
    @error = @error_message = nil
    @rest_singles = ""
    @non_option_arguments = []
    set_options(*arguments) unless arguments.empty?
  end

  def ordering=(ordering)
    set_error(ArgumentError, "argument error") if @status && @status != STATUS_YET
    raise ArgumentError, "invalid ordering `#{ordering}'" unless ORDERINGS.include?(ordering)
    is_posix = ordering == PERMUTE && ENV.include?("POSIXLY_CORRECT")
    @ordering = is_posix ? REQUIRE_ORDER : ordering
  end

  def set_options(*arguments)
    raise RuntimeError, "invoke set_options, but option processing has already started" if @status != STATUS_YET
    @canonical_names.clear
    @argument_flags.clear
    arguments.each { |option| add_option(option) }
    self
  end

  # Puts what is left back into `ARGV`.
  def terminate
    return nil if terminated?
    raise RuntimeError, "an error has occurred" if @error
    @status = STATUS_TERMINATED
    ARGV.unshift(*@non_option_arguments)
    @canonical_names = @argument_flags = @rest_singles = @non_option_arguments = nil
    self
  end

  def terminated? = @status == STATUS_TERMINATED

  # The next option's first name and its argument; nil behind the last.
  def get
    return nil if @error || @status == STATUS_TERMINATED
    @status = STATUS_STARTED if @status == STATUS_YET
    return single_option if !@rest_singles.empty?
    word = next_word or return
    return ["", word] unless option?(word)
    case word
    when "--" then (terminate; nil)
    when /\A(--[^=]+)(?:=(.*))?/m then long_option($1, $2)
    else
      @rest_singles = word[1..]
      single_option
    end
  end
  alias get_option get

  # Calls the block with each option's first name and argument.
  def each
    while (option = get)
      yield(*option)
    end
  end
  alias each_option each

  private

  def add_option(option)
    raise ArgumentError, "the option list contains non-Array argument" unless option.is_a?(Array)
    flag = nil
    names = []
    option.each do |part|
      if ARGUMENT_FLAGS.include?(part)
        raise ArgumentError, "too many argument-flags" if flag
        flag = part
        next
      end
      raise ArgumentError, "an invalid option `#{part}'" unless part.is_a?(String) && part.match?(/\A-(?:[^-]|-.+)\z/)
      raise ArgumentError, "option redefined `#{part}'" if names.include?(part) || @canonical_names.key?(part)
      names << part
    end
    raise ArgumentError, "no argument-flag" unless flag
    raise ArgumentError, "no option name" if names.empty?
    names.each { |name| @canonical_names[name] = names.first }
    @argument_flags[names.first] = flag
  end

  def option?(word) = word.start_with?("-") && word != "-"

  # Takes the next word that is to be handed out; those that are not options go aside if the order says so.
  def next_word
    if @ordering == PERMUTE
      @non_option_arguments << ARGV.shift until ARGV.empty? || option?(ARGV[0])
    end
    if ARGV.empty? || @ordering == REQUIRE_ORDER && !option?(ARGV[0])
      terminate
      return nil
    end
    ARGV.shift
  end

  def long_option(given, argument)
    name = @canonical_names.key?(given) ? given : completed(given)
    canonical = @canonical_names[name]
    case @argument_flags[canonical]
    when REQUIRED_ARGUMENT
      argument ||= ARGV.shift
      set_error(MissingArgument, "option `#{given}' requires an argument") unless argument
    when OPTIONAL_ARGUMENT
      argument ||= !ARGV.empty? && !option?(ARGV[0]) ? ARGV.shift : ""
    else
      set_error(NeedlessArgument, "option `#{name}' doesn't allow an argument") if argument
    end
    [canonical, argument || ""]
  end

  # The name that begins so, if all that do stand for one option.
  def completed(given)
    names = @canonical_names.keys.select { |name| name.start_with?(given) }
    set_error(InvalidOption, "unrecognized option `#{given}'") if names.empty?
    unless names.uniq { |name| @canonical_names[name] }.one?
      set_error(AmbiguousOption, "option `#{given}' is ambiguous between #{names.join(", ")}")
    end
    names.first
  end

  def single_option
    letter, @rest_singles = @rest_singles[0], @rest_singles[1..]
    canonical = @canonical_names["-#{letter}"]
    set_error(InvalidOption, "invalid option -- #{letter}") unless canonical
    argument = ""
    case @argument_flags[canonical]
    when REQUIRED_ARGUMENT
      argument = @rest_singles.empty? ? ARGV.shift : @rest_singles
      @rest_singles = ""
      set_error(MissingArgument, "option requires an argument -- #{letter}") unless argument
    when OPTIONAL_ARGUMENT
      argument = if !@rest_singles.empty? then @rest_singles
                 elsif !ARGV.empty? && !option?(ARGV[0]) then ARGV.shift
                 else ""
                 end
      @rest_singles = ""
    end
    [canonical, argument]
  end

  def set_error(type, message)
    $stderr.print("#{$0}: #{message}\n") unless @quiet
    @error = type
    @error_message = message
    raise(type, message)
  end
end
