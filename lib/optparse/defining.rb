# frozen_string_literal: true

class OptionParser
  # What one call of `on` says about an option.
  class Declaration
    attr_reader :short, :long, :no_long

    def initialize(parser, block)
      @parser = parser
      @block = block
      @short = []
      @long = []
      @no_long = []
      @short_names = []
      @long_names = []
      @desc = []
      @style = @pattern = @conv = @type = @values = @arg = nil
      @default_style = Switch::NoArgument
      @default_pattern = @no_style = @no_pattern = @no_conv = nil
    end

    def read(options)
      options.each { |option| read_one(option) }
      self
    end

    # The switch, and the one for "--no-…".
    def switch
      use_type(@default_style.pattern) unless @default_pattern || @conv
      check_range if Range === @values && @type
      if !@short.empty? || !@long.empty?
        @default_style = Switch::RequiredArgument if @has_type_argument && @default_style == Switch::NoArgument && @arg
        return (@style || @default_style).new(@pattern || @default_pattern, @conv, @short_names, @long_names, @arg, @desc,
                                              @block, @values)
      end
      unless @block
        raise ArgumentError, "no switch given" if @style || @pattern
        return @desc
      end
      @short << @pattern
      (@style || @default_style).new(@pattern, @conv, nil, nil, @arg, @desc, @block, @values)
    end

    def no_switch
      @no_style&.new(@no_pattern, @no_conv, @short_names, @long_names, nil, @desc, @block)
    end

    private

    def read_one(option)
      return if !(String === option) && read_type(option)
      if !(String === option) && !Completion.completable?(option) && option.respond_to?(:match)
        @pattern = once(option, @pattern, "pattern")
        @conv = option.respond_to?(:convert) ? option.method(:convert).to_proc : SPLAT_PROC
        return
      end
      case option
      when Proc, Method then @block = once(option, @block, "block")
      when Array, Hash, Set then read_values(option)
      when Range then @values = once(option, @values, "values")
      when Module then raise ArgumentError, "unsupported argument type: #{option}", ParseError.filter_backtrace(caller(4))
      when *ArgumentStyle.keys then @style = once(ArgumentStyle[option], @style, "style")
      else read_text(option)
      end
    end

    def once(object, previous, what)
      return object if !previous || previous == object
      raise ArgumentError, "argument #{what} given twice: #{object}", ParseError.filter_backtrace(caller(2))
    end

    def check_range
      return if [@values.begin, @values.end].all? { |limit| !limit || @type === limit }
      raise ArgumentError, "range does not match class"
    end

    def read_type(option)
      pattern, conv = @parser.__send__(:search, :atype, option)
      return false unless pattern || conv
      @type = once(option, @type, "type")
      if @no_style && @no_style != Switch::NoArgument
        @no_pattern, @no_conv = pattern, conv
      else
        @default_pattern, @conv = pattern, conv
      end
      true
    end

    def use_type(type) = (@default_pattern, @conv = @parser.__send__(:search, :atype, type))

    def read_values(option)
      if Array === option
        option, values = option.partition { |value,| Completion.completable?(value) }
        @values = once(values, @values, "values") unless values.empty?
        return if option.empty?
      end
      raise ArgumentError, "argument pattern given twice" unless @pattern.nil? || CompletingHash === @pattern
      @pattern ||= CompletingHash.new
      @conv = @pattern.method(:convert).to_proc
      option.each { |name, *values| @pattern[name] = values.fetch(0) { name } }
    end

    def read_text(option)
      case option
      when /\A--no-([^\[\]=\s]*)(.+)?/ then read_no_long($1, $2)
      when /\A--\[no-\]([^\[\]=\s]*)(.+)?/ then read_both_long($1, $2)
      when /\A--([^\[\]=\s]*)(.+)?/ then read_long($1, $2)
      when /\A-(\[\^?\]?(?:[^\\\]]|\\.)*\])(.+)?/ then read_short_class($1, $2)
      when /\A-(.)(.+)?/ then read_short($1, $2)
      when /\A=/
        @style = once(@default_style.guess(@arg = option), @style, "style")
        use_type(Object) unless @default_pattern
      else @desc << option if option && !option.empty?
      end
    end

    def read_argument(argument, type)
      return unless argument
      once(type, @type, "type")
      @default_style = @default_style.guess(@arg = argument)
      use_type(type) unless @default_pattern || @conv
    end

    def read_no_long(name, argument)
      type = once(argument ? Object : TrueClass, @type, "type")
      @no_pattern, @no_conv = @parser.__send__(:search, :atype, type) unless @no_style
      @no_style = (@no_style || @default_style).guess(@arg = argument) if argument
      @default_style = Switch::NoArgument
      use_type(FalseClass) unless @default_pattern
      @long_names << "--no-#{name}"
      name = name.downcase.tr("_", "-")
      @long << "no-#{name}"
      @no_long << name
    end

    def read_both_long(name, argument)
      once(TrueClass, @type, "type") unless argument
      read_argument(argument, Object)
      @long_names << "--[no-]#{name}"
      name = name.downcase.tr("_", "-")
      @long << name
      @no_pattern, @no_conv = @parser.__send__(:search, :atype, FalseClass) unless @no_style
      @no_style = Switch::NoArgument
      @no_long << "no-#{name}"
    end

    def read_long(name, argument)
      read_argument(argument, NilClass)
      @long_names << "--#{name}"
      @long << name.downcase.tr("_", "-")
    end

    # "-[a-f]"
    def read_short_class(name, argument)
      @default_style = Switch::RequiredArgument unless argument
      once(Object, @type, "type")
      read_argument(argument, Object)
      use_type(Object) unless @default_pattern || @conv
      @short_names << "-#{name}"
      @short << Regexp.new(name)
    end

    def read_short(name, argument)
      read_argument(argument, NilClass)
      @short_names << "-#{name}"
      @short << name
    end
  end
  private_constant :Declaration

  # The switch that the arguments of `on` declare, with its names.
  def make_switch(opts, block = nil)
    declaration = Declaration.new(self, block).read(opts)
    switch = declaration.switch
    [switch, declaration.short, declaration.long, declaration.no_switch, declaration.no_long]
  end

  # Declares an option and returns it.

  def define(*opts, &block)
    top.append(*(switch = make_switch(opts, block)))
    switch[0]
  end
  alias def_option define

  def define_head(*opts, &block)
    top.prepend(*(switch = make_switch(opts, block)))
    switch[0]
  end
  alias def_head_option define_head

  def define_tail(*opts, &block)
    base.append(*(switch = make_switch(opts, block)))
    switch[0]
  end
  alias def_tail_option define_tail

  # The same, returning the parser.

  def on(...)
    define(...)
    self
  end

  def on_head(...)
    define_head(...)
    self
  end

  def on_tail(...)
    define_tail(...)
    self
  end

  # A line of the summary.
  def separator(text) = top.append(text, nil, nil)
end
