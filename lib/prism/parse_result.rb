# frozen_string_literal: true

module Prism
  # A source and where its lines begin.
  class Source
    # One whose positions are cheap if all characters are of one byte.
    def self.for(source, start_line, offsets)
      return ASCIISource.new(source, start_line, offsets) if source.ascii_only?
      if source.encoding == Encoding::BINARY
        source.force_encoding(Encoding::UTF_8)
        return new(source, start_line, offsets) if source.valid_encoding?
        source.force_encoding(Encoding::BINARY)
        return ASCIISource.new(source, start_line, offsets)
      end
      new(source, start_line, offsets)
    end

    attr_reader :source, :start_line, :offsets

    def initialize(source, start_line = 1, offsets = [])
      @source = source
      @start_line = start_line
      @offsets = offsets
    end

    def replace_start_line(start_line)
      @start_line = start_line
    end

    def replace_offsets(offsets)
      @offsets.replace(offsets)
    end

    def encoding = source.encoding

    def lines = source.lines

    def slice(byte_offset, length) = source.byteslice(byte_offset, length)

    # The byte of a line's column.
    def byte_offset(line, column)
      index = line - start_line
      raise ArgumentError, "line #{line} is out of range" if index < 0 || index >= offsets.size
      offsets[index] + column
    end

    def line(byte_offset) = start_line + find_line(byte_offset)

    def line_start(byte_offset) = offsets[find_line(byte_offset)]

    def line_end(byte_offset) = offsets[find_line(byte_offset) + 1] || source.bytesize

    def column(byte_offset) = byte_offset - line_start(byte_offset)

    def character_offset(byte_offset) = source.byteslice(0, byte_offset).length

    def character_column(byte_offset) = character_offset(byte_offset) - character_offset(line_start(byte_offset))

    # The number of an encoding's units in front of a byte.
    def code_units_offset(byte_offset, encoding)
      text = source.byteslice(0, byte_offset).encode(encoding, invalid: :replace, undef: :replace)
      [Encoding::UTF_16LE, Encoding::UTF_16BE].include?(encoding) ? text.bytesize / 2 : text.length
    end

    def code_units_cache(encoding) = CodeUnitsCache.new(source, encoding)

    def code_units_column(byte_offset, encoding) = code_units_offset(byte_offset, encoding) - code_units_offset(line_start(byte_offset), encoding)

    def deep_freeze
      source.freeze
      offsets.freeze
      freeze
    end

    private

    def find_line(byte_offset) = (offsets.bsearch_index { |offset| offset > byte_offset } || offsets.length) - 1
  end

  # A source in which every character is a byte.
  class ASCIISource < Source
    def character_offset(byte_offset) = byte_offset
    def character_column(byte_offset) = byte_offset - line_start(byte_offset)
    def code_units_offset(byte_offset, _encoding) = byte_offset
    def code_units_cache(_encoding) = ->(byte_offset) { byte_offset }
    def code_units_column(byte_offset, _encoding) = byte_offset - line_start(byte_offset)
  end

  # Numbers of an encoding's units in front of bytes; each is counted from the nearest one in front that is known.
  class CodeUnitsCache
    def initialize(source, encoding)
      @source = source
      @encoding = encoding
      @unit = [Encoding::UTF_16LE, Encoding::UTF_16BE].include?(encoding) ? 2 : nil
      @counts = { 0 => 0 }
      @known = [0]
    end

    def [](byte_offset)
      @counts[byte_offset] ||= begin
        index = @known.bsearch_index { |known| known > byte_offset } || @known.size
        from = @known[index - 1]
        @known.insert(index, byte_offset)
        @counts[from] + count(from, byte_offset - from)
      end
    end

    private

    def count(from, size)
      text = @source.byteslice(from, size).encode(@encoding, invalid: :replace, undef: :replace)
      @unit ? text.bytesize / @unit : text.length
    end
  end

  # A part of a source.
  class Location
    attr_reader :source, :start_offset, :length
    protected :source

    def initialize(source, start_offset, length)
      @source = source
      @start_offset = start_offset
      @length = length
      @leading_comments = nil
      @trailing_comments = nil
    end

    # Comments that `attach_comments!` found in front of this part.
    def leading_comments = @leading_comments ||= []

    def leading_comment(comment) = leading_comments << comment

    def trailing_comments = @trailing_comments ||= []

    def trailing_comment(comment) = trailing_comments << comment

    def comments = [*@leading_comments, *@trailing_comments]

    def copy(source: self.source, start_offset: self.start_offset, length: self.length) = Location.new(source, start_offset, length)

    # The same part without its last byte.
    def chop = copy(length: length == 0 ? length : length - 1)

    def inspect = "#<Prism::Location @start_offset=#{@start_offset} @length=#{@length} start_line=#{start_line}>"

    def source_lines = source.lines

    def slice = source.slice(start_offset, length)

    # The whole lines.
    def slice_lines
      first = source.line_start(start_offset)
      source.slice(first, source.line_end(end_offset) - first)
    end

    def end_offset = start_offset + length

    def start_line = source.line(start_offset)
    def end_line = source.line(end_offset)
    def start_column = source.column(start_offset)
    def end_column = source.column(end_offset)
    def start_character_offset = source.character_offset(start_offset)
    def end_character_offset = source.character_offset(end_offset)
    def start_character_column = source.character_column(start_offset)
    def end_character_column = source.character_column(end_offset)
    def start_code_units_offset(encoding = Encoding::UTF_16LE) = source.code_units_offset(start_offset, encoding)
    def end_code_units_offset(encoding = Encoding::UTF_16LE) = source.code_units_offset(end_offset, encoding)
    def start_code_units_column(encoding = Encoding::UTF_16LE) = source.code_units_column(start_offset, encoding)
    def end_code_units_column(encoding = Encoding::UTF_16LE) = source.code_units_column(end_offset, encoding)
    def cached_start_code_units_offset(cache) = cache[start_offset]
    def cached_end_code_units_offset(cache) = cache[end_offset]
    def cached_start_code_units_column(cache) = cache[start_offset] - cache[source.line_start(start_offset)]
    def cached_end_code_units_column(cache) = cache[end_offset] - cache[source.line_start(end_offset)]

    # What stands in front of this part on its line.
    def start_line_slice
      first = source.line_start(start_offset)
      source.slice(first, start_offset - first)
    end

    def deconstruct_keys(_keys) = { start_offset: start_offset, end_offset: end_offset }

    def pretty_print(q) = q.text("(#{start_line},#{start_column})-(#{end_line},#{end_column})")

    def ==(other) = Location === other && other.start_offset == start_offset && other.end_offset == end_offset

    # From here to the end of a later part.
    def join(other)
      raise "Incompatible sources" if source != other.source
      raise "Incompatible locations" if start_offset > other.start_offset
      Location.new(source, start_offset, other.end_offset - start_offset)
    end

    # From here to the end of a text that follows on the line.
    def adjoin(string)
      rest = source.slice(end_offset, source.line_end(end_offset) - end_offset)
      index = rest.byteindex(string) or raise "Could not find #{string}"
      Location.new(source, start_offset, length + index + string.bytesize)
    end
  end

  class Comment
    attr_reader :location

    def initialize(location)
      @location = location
    end

    def deconstruct_keys(_keys) = { location: location }

    def slice = location.slice

    def trailing? = raise(NotImplementedError, "trailing? is not implemented for #{self.class}")
  end

  class InlineComment < Comment
    # Whether something stands in front of it on its line.
    def trailing? = !location.start_line_slice.strip.empty?

    def inspect = "#<Prism::InlineComment @location=#{location.inspect}>"
  end

  class EmbDocComment < Comment
    def trailing? = false

    def inspect = "#<Prism::EmbDocComment @location=#{location.inspect}>"
  end

  # A comment that says how the file is read.
  class MagicComment
    attr_reader :key_loc, :value_loc

    def initialize(key_loc, value_loc)
      @key_loc = key_loc
      @value_loc = value_loc
    end

    def key = key_loc.slice

    def value = value_loc.slice

    def deconstruct_keys(_keys) = { key_loc: key_loc, value_loc: value_loc }

    def inspect = "#<Prism::MagicComment @key=#{key.inspect} @value=#{value.inspect}>"
  end

  # What is wrong with a source, and what looks wrong.
  module Finding
    attr_reader :type, :message, :location, :level

    def initialize(type, message, location, level)
      @type = type
      @message = message
      @location = location
      @level = level
    end

    def deconstruct_keys(_keys) = { type: type, message: message, location: location, level: level }

    def inspect = "#<#{self.class} @type=#{@type.inspect} @message=#{@message.inspect} @location=#{@location.inspect} @level=#{@level.inspect}>"
  end
  private_constant :Finding

  class ParseError
    include Finding
  end

  class ParseWarning
    include Finding
  end

  # What was found in a source.
  class Result
    attr_reader :comments, :magic_comments, :data_loc, :errors, :warnings, :source

    def initialize(comments, magic_comments, data_loc, errors, warnings, source)
      @comments = comments
      @magic_comments = magic_comments
      @data_loc = data_loc
      @errors = errors
      @warnings = warnings
      @source = source
    end

    def deconstruct_keys(_keys) = { comments: comments, magic_comments: magic_comments, data_loc: data_loc, errors: errors, warnings: warnings }

    def encoding = source.encoding

    def success? = errors.empty?

    def failure? = !success?

    def code_units_cache(encoding) = source.code_units_cache(encoding)
  end

  # What a result has that has a value.
  module Valued
    attr_reader :value

    def initialize(value, comments, magic_comments, data_loc, errors, warnings, source)
      @value = value
      super(comments, magic_comments, data_loc, errors, warnings, source)
    end

    def deconstruct_keys(keys) = super.merge!(value: value)
  end
  private_constant :Valued

  # A program's tree.
  class ParseResult < Result
    include Valued

    autoload :Comments, "prism/parse_result/comments"
    autoload :Errors, "prism/parse_result/errors"
    autoload :Newlines, "prism/parse_result/newlines"
    private_constant :Comments, :Errors, :Newlines

    # Each comment goes to the nearest part of the tree.
    def attach_comments! = Comments.new(self).attach!

    # Marks the first piece of each line.
    def mark_newlines! = value.accept(Newlines.new(source.offsets.size))

    # The source with each error below its line.
    def errors_format = Errors.new(self).format
  end

  # A program's tokens.
  class LexResult < Result
    include Valued
  end

  # A program's tree and tokens.
  class ParseLexResult < Result
    include Valued
  end

  class Token
    attr_reader :type, :value, :source
    private :source

    def initialize(source, type, value, location)
      @source = source
      @type = type
      @value = value
      @location = location
    end

    def deconstruct_keys(_keys) = { type: type, value: value, location: location }

    def location
      @location = Location.new(@source, @location >> 32, @location & 0xFFFFFFFF) if Integer === @location
      @location
    end

    def pretty_print(q)
      q.group do
        q.text(type.to_s)
        location.pretty_print(q)
        q.text("(")
        q.nest(2) do
          q.breakable("")
          q.pp(value)
        end
        q.breakable("")
        q.text(")")
      end
    end

    def ==(other) = Token === other && other.type == type && other.value == value

    def inspect
      location
      super
    end

    def deep_freeze
      value.freeze
      location.freeze
      freeze
    end
  end

  # What surrounds a source: names of locals, and which parameters without names can be forwarded.
  class Scope
    attr_reader :locals, :forwarding

    def initialize(locals, forwarding)
      @locals = locals
      @forwarding = forwarding
    end
  end
end
