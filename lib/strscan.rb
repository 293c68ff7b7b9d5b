# carat: core
# Going through a string from left to right, pattern by pattern.
class StringScanner
  class Error < StandardError
  end

  Version = "3.1.6"
  Id = "$Id$"

  def self.must_C_version = self

  attr_reader :string

  def initialize(string, _dup = nil, fixed_anchor: false)
    @fixed_anchor = !!fixed_anchor
    # All variables there are, so that every scanner has one shape from here on.
    @before = @from = @to = 0
    self.string = string
  end

  def initialize_copy(other)
    super
    @groups = @groups.dup
  end

  def string=(string)
    @string = String.try_convert(string) or raise TypeError, "no implicit conversion of #{string.class} into String"
    @pos = 0
    clear_match
  end

  # Appends to the string; the position stays.
  def concat(text)
    raise TypeError, "no implicit conversion of Integer into String" if Integer === text
    @string << text
    self
  end
  alias << concat

  # Position in bytes.
  def pos = @pos > @string.bytesize ? @pos = @string.bytesize : @pos
  alias pointer pos

  def pos=(position)
    position += @string.bytesize if position < 0
    raise RangeError, "index out of range" if position < 0 || position > @string.bytesize
    @pos = position
  end
  alias pointer= pos=

  # Position in characters.
  def charpos = Primitive.string_char_index(@string, pos)

  def fixed_anchor? = @fixed_anchor

  def reset
    @pos = 0
    clear_match
    self
  end

  def terminate
    @pos = @string.bytesize
    clear_match
    self
  end

  # Takes back the last match.
  def unscan
    raise Error, "unscan failed: previous match record not exist" unless @matched
    @pos = @before
    clear_match
    self
  end

  def eos? = @pos >= @string.bytesize

  def rest? = !eos?

  def rest = @string.byteslice(pos..) || ""

  def rest_size = @string.bytesize - pos

  def beginning_of_line? = pos == 0 || @string.getbyte(@pos - 1) == 10
  alias bol? beginning_of_line?

  # At the position:
  def scan(pattern) = advance(pattern, true, true, true)

  def match?(pattern) = advance(pattern, true, false, false)

  def skip(pattern) = advance(pattern, true, true, false)

  def check(pattern) = advance(pattern, true, false, true)

  def scan_full(pattern, moves, returns_string) = advance(pattern, true, moves, returns_string)

  # From the position on:
  def scan_until(pattern) = advance(pattern, false, true, true)

  def exist?(pattern) = advance(pattern, false, false, false)

  def skip_until(pattern) = advance(pattern, false, true, false)

  def check_until(pattern) = advance(pattern, false, false, true)

  def search_full(pattern, moves, returns_string) = advance(pattern, false, moves, returns_string)

  def getch = advance(/./m, true, true, true)

  def get_byte
    clear_match
    return if eos?
    note(0, 1, nil, nil)
    @pos += 1
    matched
  end

  def scan_byte
    byte = peek_byte
    get_byte
    byte
  end

  def peek_byte = @string.getbyte(pos)

  def peek(length)
    raise ArgumentError, "negative string size (or size too big)" if length < 0
    @string.byteslice(pos, length)
  end

  # Reads a number in base 10 or 16 and returns it, or nil.
  def scan_integer(base: 10)
    case base
    when 10 then scan(/[+-]?\d+/)&.to_i
    when 16 then scan(/[+-]?(?:0x)?[0-9a-fA-F]+/)&.to_i(16)
    else raise ArgumentError, "Unsupported integer base: #{base.inspect}, expected 10 or 16"
    end
  end

  def matched? = @matched ? true : false

  def matched = @matched && @string.byteslice(@before + @from, @to - @from)

  def matched_size = @matched && @to - @from

  def [](group)
    return unless @matched
    return text_of(named_group(group.to_s)) if Primitive.kind_of(group, Symbol) || Primitive.kind_of(group, String)
    number = Primitive.to_long(group)
    number += size if number < 0
    text_of(number)
  end

  def size = @matched && (@groups ? @groups.size / 2 : 1)

  def captures = @matched && (1...size).map { |number| text_of(number) }

  def values_at(*groups) = @matched && groups.map { |group| self[group] }

  def named_captures
    return {} unless @pattern
    @pattern.names.to_h { |name| [name, @matched && text_of(named_group(name))] }
  end

  def pre_match = @matched && @string.byteslice(0, @before + @from)

  def post_match = @matched && @string.byteslice((@before + @to)..)

  def inspect
    return "#<#{self.class} fin>" if eos?
    after = @string.byteslice(@pos, 5).b.inspect
    after = "#{after[0..-2]}...\"" if rest_size > 5
    return "#<#{self.class} #{@pos}/#{@string.bytesize} @ #{after}>" if @pos == 0
    before = @string.byteslice([@pos - 5, 0].max...@pos).b.inspect
    before = "\"...#{before[1..]}" if @pos > 5
    "#<#{self.class} #{@pos}/#{@string.bytesize} #{before} @ #{after}>"
  end

  private

  def clear_match
    @matched = @groups = @pattern = nil
  end

  # The text of a group by its number.
  def text_of(number)
    return if number < 0
    return number == 0 ? matched : nil unless @groups
    from = Primitive.array_at(@groups, number * 2)
    from && @string.byteslice(@before + from, Primitive.array_at(@groups, number * 2 + 1) - from)
  end

  # The number of the group of this name that matched, the last one's if several did.
  def named_group(name)
    numbers = @pattern&.named_captures&.[](name)
    raise IndexError, "undefined group name reference: #{name}" unless numbers
    return numbers[0] unless @groups
    numbers.reverse_each.find { |number| @groups[number * 2] } || numbers[0]
  end

  def note(from, to, groups, pattern)
    @matched = true
    @before = @pos
    @from = from
    @to = to
    @groups = groups
    @pattern = pattern
    true
  end

  def advance(pattern, is_anchored, moves, returns_string)
    start = pos
    if Primitive.kind_of(pattern, Regexp)
      found = Primitive.regexp_scan(pattern, @string, @fixed_anchor ? 0 : start, start, is_anchored)
      @pattern = pattern
      return @matched = @groups = nil unless found
      if Primitive.fixnum?(found)
        @from = 0
        @to = found
        @groups = nil
      else
        @from = Primitive.array_at(found, 0)
        @to = Primitive.array_at(found, 1)
        @groups = found
      end
    elsif Primitive.kind_of(pattern, String)
      from = text_from(pattern, start, is_anchored)
      return clear_match unless from
      @from = from
      @to = from + pattern.bytesize
      @groups = @pattern = nil
    else
      clear_match
      raise TypeError, "wrong argument type #{pattern.class} (expected Regexp)"
    end
    @matched = true
    @before = start
    @pos = start + @to if moves
    returns_string ? @string.byteslice(start, @to) : @to
  end

  # How far behind +start+ the text stands, nil if it does not.
  def text_from(text, start, is_anchored)
    return Primitive.string_at?(@string, text, start) ? 0 : nil if is_anchored
    @string.byteindex(text, start)&.-(start)
  end
end
