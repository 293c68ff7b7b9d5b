# String: the methods that yield.
#
# Natives: string_snapshot(s)              s itself if it is frozen, else a copy to go through
#   string_next_char(s, at)                the character at byte +at+; string_char_size(s, at) its bytes
#   string_codepoint_at(s, at)             its code point; ArgumentError where bytes are invalid
#   string_separator(s, given)             what separates lines: nil nothing, true a newline, else a string
#   string_line_end(s, separator, at)      where the line after the one at +at+ begins, nil at the end
#   string_line_at(s, separator, chomp, at)  the line at +at+
#   string_chars(s) string_bytes(s) string_codepoints(s) string_graphemes(s) string_lines(s, separator, chomp)
#   string_upto_kind(from, to)             how to go: 0 ASCII characters, 1 numbers, 2 succ
#   string_digits(number, width)           padded with zeros; string_ascii_char(code, like)
#   string_invalid_piece(s, at)            [start, size] of the next invalid bytes, or nil
#   string_check_replacement(s, text)      fails unless +text+ can replace bytes of s; string_scrub(s, text)
class String
  # Yields each character.
  #   "añ".each_char { |c| p c }
  def each_char
    return Core.enumerator(self, :each_char, Core::NO_ARGUMENTS) { Primitive.string_length(self) } unless block_given?
    text = Primitive.string_snapshot(self)
    size = Primitive.string_bytesize(text)
    at = 0
    while at < size
      char = Primitive.string_next_char(text, at)
      at += Primitive.string_bytesize(char)
      yield char
    end
    self
  end

  # Returns the characters as an array.
  #   "añ".chars #=> ["a", "ñ"]
  def chars(&block)
    return Primitive.string_chars(self) unless block
    each_char(&block)
  end

  # Yields each byte as an Integer.
  def each_byte
    return Core.enumerator(self, :each_byte, Core::NO_ARGUMENTS) { Primitive.string_bytesize(self) } unless block_given?
    at = 0
    while at < Primitive.string_bytesize(self)
      yield Primitive.string_byte_at(self, at)
      at += 1
    end
    self
  end

  # Returns the bytes as an array of Integers.
  #   "ñ".bytes #=> [195, 177]
  def bytes(&block)
    return Primitive.string_bytes(self) unless block
    each_byte(&block)
  end

  # Yields the code point of each character.
  def each_codepoint
    return Core.enumerator(self, :each_codepoint, Core::NO_ARGUMENTS) { Primitive.string_length(self) } unless block_given?
    text = Primitive.string_snapshot(self)
    size = Primitive.string_bytesize(text)
    at = 0
    while at < size
      code = Primitive.string_codepoint_at(text, at)
      at += Primitive.string_char_size(text, at)
      yield code
    end
    self
  end

  # Returns the code points as an array.
  #   "añ".codepoints #=> [97, 241]
  def codepoints(&block)
    return Primitive.string_codepoints(self) unless block
    each_codepoint(&block)
  end

  # Yields each grapheme cluster: what a reader takes for one character.
  def each_grapheme_cluster
    return Core.enumerator(self, :each_grapheme_cluster, Core::NO_ARGUMENTS) { Primitive.string_grapheme_count(self) } unless block_given?
    clusters = Primitive.string_graphemes(self)
    size = Primitive.array_size(clusters)
    i = 0
    while i < size
      yield Primitive.array_at(clusters, i)
      i += 1
    end
    self
  end

  # Returns the grapheme clusters as an array.
  def grapheme_clusters(&block)
    return Primitive.string_graphemes(self) unless block
    each_grapheme_cluster(&block)
  end

  # Yields each line with its separator; without it if +chomp+.
  #   "a\nb".each_line { |line| p line }
  def each_line(separator = Primitive.undef, chomp: false)
    unless block_given?
      args = Primitive.undef?(separator) ? [] : [separator]
      enumerator = Core.enumerator(self, :each_line, args) { nil }
      Core.enumerator_set_kwargs(enumerator, { chomp: chomp }) if chomp
      return enumerator
    end
    separator = Primitive.string_separator(self, separator)
    if separator.nil?
      yield self
      return self
    end
    text = Primitive.string_snapshot(self)
    at = 0
    while (stop = Primitive.string_line_end(text, separator, at))
      yield Primitive.string_line_at(text, separator, chomp, at)
      at = stop
    end
    self
  end

  # Returns the lines as an array.
  #   "a\nb".lines #=> ["a\n", "b"]
  def lines(separator = Primitive.undef, chomp: false, &block)
    if block
      return Primitive.undef?(separator) ? each_line(chomp: chomp, &block) : each_line(separator, chomp: chomp, &block)
    end
    Primitive.string_lines(self, Primitive.string_separator(self, separator), chomp)
  end

  # Yields the strings from self to +last+, each the successor of the one before.
  #   "a8".upto("b1").to_a #=> ["a8", "a9", "b0", "b1"]
  def upto(last, exclusive = false, &block)
    return Core.enumerator(self, :upto, [last, exclusive]) { nil } unless block
    Core.string_upto(self, Primitive.to_str(last), exclusive ? true : false, &block)
    self
  end

  # Returns a copy in which what is not valid is replaced: by +replacement+, by the block's answer to the bytes, or by U+FFFD.
  #   "a\xFFb".scrub("?") #=> "a?b"
  def scrub(replacement = nil)
    raise ArgumentError, "both of block and replacement given" if block_given? && !replacement.nil?
    return Primitive.string_scrub(self, replacement) unless replacement.nil? && block_given?
    piece = Primitive.string_invalid_piece(self, 0)
    return Primitive.string_scrub(self, nil) unless piece
    text = Primitive.string_snapshot(self)
    result = Primitive.string_slice_bytes(text, 0, 0)
    at = 0
    while piece
      start = Primitive.array_at(piece, 0)
      size = Primitive.array_at(piece, 1)
      result << Primitive.string_slice_bytes(text, at, start - at)
      answer = Primitive.to_str(yield Primitive.string_slice_bytes(text, start, size))
      raise "string modified" unless Primitive.string_bytesize(self) == Primitive.string_bytesize(text)
      result << Primitive.string_check_replacement(text, answer)
      at = start + size
      piece = Primitive.string_invalid_piece(text, at)
    end
    result << Primitive.string_slice_bytes(text, at, Primitive.string_bytesize(text) - at)
  end

  # Replaces what is not valid in place.
  def scrub!(replacement = nil, &block)
    return self if valid_encoding? && (block.nil? || replacement.nil?)
    Primitive.frozen_check(self)
    replace(scrub(replacement, &block))
  end
end

module Core
  # String#upto. The result is of no use.
  def self.string_upto(first, last, exclude)
    last = Primitive.to_str(last)
    kind = Primitive.string_upto_kind(first, last)
    if kind == 0
      code = Primitive.string_byte_at(first, 0)
      stop = Primitive.string_byte_at(last, 0)
      stop -= 1 if exclude
      while code <= stop
        yield Primitive.string_ascii_char(code, first)
        code += 1
      end
      return
    end
    return Core.string_upto_digits(first, last, exclude) { |text| yield text } if kind == 1
    order = first <=> last
    return if order > 0 || (exclude && order == 0)
    text = first.dup
    limit = Primitive.string_bytesize(last)
    after = last.succ
    until text == after
      is_last = text == last
      return if exclude && is_last
      following = is_last ? nil : text.succ
      yield text
      return if is_last
      text = following
      size = Primitive.string_bytesize(text)
      return if size > limit || size == 0
    end
  end

  # From one decimal number to another; the first one's width is kept.
  def self.string_upto_digits(first, last, exclude)
    number = first.to_i
    stop = last.to_i
    stop -= 1 if exclude
    width = Primitive.string_bytesize(first)
    while number <= stop
      yield Primitive.string_digits(number, width)
      number += 1
    end
  end
end
