# PrettyPrint: lays out nested groups of text within a width.
#
# A document is built of texts, breakables and groups. A group that fits on the rest of the line stays on it; of one that does
# not, every breakable starts a new line, and the groups inside are looked at each for itself.
class PrettyPrint
  VERSION = "0.2.0".freeze

  # A place where a line may be broken: +separator+ stands there otherwise.
  Breakable = Struct.new(:separator, :width, :indent)
  # A breakable that is broken only if what follows it does not fit.
  class Fill < Breakable; end

  # Nested parts of a document; +depth+ counts the groups around it.
  class Group
    attr_reader :depth, :parts

    def initialize(depth)
      @depth = depth
      @parts = []
      @is_first = true
    end

    def breakables = @parts.grep(Breakable)

    # True the first time that somebody asks.
    def first?
      was_first = @is_first
      @is_first = false
      was_first
    end
  end

  # Writes at once, without breaking lines.
  class SingleLine
    def initialize(output, _maxwidth = nil, _newline = nil)
      @output = output
      @first = [true]
    end

    def text(object, _width = nil) = @output << object

    def breakable(separator = " ", _width = nil) = @output << separator

    def nest(_indent) = yield

    def group(_indent = nil, open = "", close = "", _open_width = nil, _close_width = nil)
      @first.push(true)
      @output << open
      yield
      @output << close
      @first.pop
    end

    def flush = nil

    # True the first time that somebody asks within a group.
    def first?
      was_first = @first[-1]
      @first[-1] = false
      was_first
    end
  end

  attr_reader :output, :maxwidth, :newline, :indent, :genspace

  # Yields a printer, and appends what it was given to +output+.
  def self.format(output = "".dup, maxwidth = 79, newline = "\n", genspace = ->(n) { " " * n })
    printer = new(output, maxwidth, newline, &genspace)
    yield printer
    printer.flush
    output
  end

  # As format, on a single line.
  def self.singleline_format(output = "".dup, _maxwidth = nil, _newline = nil, _genspace = nil)
    yield SingleLine.new(output)
    output
  end

  def initialize(output = "".dup, maxwidth = 79, newline = "\n", &genspace)
    @output = output
    @maxwidth = maxwidth
    @newline = newline
    @genspace = genspace || ->(n) { " " * n }
    @indent = 0
    @column = 0
    @stack = [Group.new(0)]
    @has_breakables = false
  end

  def current_group = @stack.last

  # Adds text, which is +width+ columns wide. It is written at once where no line can be broken any more before it.
  def text(object, width = object.length)
    return write_text(object, width) unless @has_breakables

    current_group.parts << [object, width]
  end

  # Adds a place where the line may be broken.
  def breakable(separator = " ", width = separator.length)
    @has_breakables = true
    current_group.parts << Breakable.new(separator, width, @indent)
  end

  # As breakable, but broken for itself alone.
  def fill_breakable(separator = " ", width = separator.length)
    @has_breakables = true
    current_group.parts << Fill.new(separator, width, @indent)
  end

  # Groups what the block adds, between two texts.
  def group(indent = 0, open = "", close = "", open_width = open.length, close_width = close.length)
    text(open, open_width) unless open.empty?
    group_sub { nest(indent) { yield } }
    text(close, close_width) unless close.empty?
  end

  # A group without texts around it and without indentation.
  def group_sub
    group = Group.new(current_group.depth + 1)
    current_group.parts << group
    @stack.push(group)
    yield
  ensure
    @stack.pop
  end

  # Indents lines that begin in the block.
  def nest(indent)
    @indent += indent
    yield
  ensure
    @indent -= indent
  end

  # Lays out what was added since the last time.
  def flush
    root = @stack.first
    write_group(root, 0)
    root.parts.clear
    @has_breakables = false
  end

  private

  def write_text(object, width)
    @output << object
    @column += width
  end

  # +after+ is how much text follows these parts before the next chance to break.
  def write(parts, is_broken, after)
    parts.each_with_index do |part, at|
      case part
      when Group then write_group(part, room_needed(parts, at + 1, after))
      when Fill then break_or_separate(part, @column + part.width + room_needed(parts, at + 1, after) > @maxwidth)
      when Breakable then break_or_separate(part, is_broken)
      else write_text(*part)
      end
    end
  end

  def write_group(group, after)
    write(group.parts, @column + flat_width(group.parts) + after > @maxwidth, after)
  end

  def break_or_separate(breakable, is_broken)
    if is_broken
      # What << of an output returns is its own affair.
      @output << @newline
      @output << @genspace.call(breakable.indent)
      @column = breakable.indent
    else
      @output << breakable.separator
      @column += breakable.width
    end
  end

  def flat_width(parts)
    parts.sum do |part|
      case part
      when Group then flat_width(part.parts)
      when Breakable then part.width
      else part[1]
      end
    end
  end

  # Width of what stands from +at+ on up to the next breakable.
  def room_needed(parts, at, after)
    width = 0
    (at...parts.size).each do |i|
      part = parts[i]
      case part
      when Breakable then return width
      when Group
        inner, is_open = width_to_break(part.parts)
        width += inner
        return width if is_open
      else width += part[1]
      end
    end
    width + after
  end

  # Width up to the first breakable inside, and whether there is one.
  def width_to_break(parts)
    width = 0
    parts.each do |part|
      return [width, true] if part.is_a?(Breakable)
      inner, is_open = part.is_a?(Group) ? width_to_break(part.parts) : [part[1], false]
      width += inner
      return [width, true] if is_open
    end
    [width, false]
  end
end
