# frozen_string_literal: true

require "ripper/tree"

class Ripper
  # Reads what the parser says of a source: its tokens, then what it noticed, then the tree with children in front of their parents, then the names.
  class Reader
    HEAD = "PRISM\x02\x01\x00\x00".b.freeze
    private_constant :HEAD

    attr_reader :tokens, :root, :encoding, :lines, :comments, :magic_comments, :data, :errors, :warnings

    def initialize(bytes)
      @bytes = bytes
      @at = 0
      @tokens = read_tokens
      raise "Ripper reads trees of another parser" unless @bytes.byteslice(@at, HEAD.bytesize) == HEAD
      @at += HEAD.bytesize
      read_findings
      names = read_fixed(4)
      @names = Array.new(number)
      read_names(names)
      @root = read_nodes(names)
    end

    private

    # An integer of seven bits a byte.
    def number
      byte = @bytes.getbyte(@at)
      @at += 1
      return byte if byte < 128
      result = byte & 127
      shift = 7
      while (byte = @bytes.getbyte(@at)) > 127
        result |= (byte & 127) << shift
        shift += 7
        @at += 1
      end
      @at += 1
      result | byte << shift
    end

    def byte = @bytes.getbyte((@at += 1) - 1)

    def signed
      zigzag = number
      zigzag.even? ? zigzag >> 1 : -(zigzag >> 1) - 1
    end

    def read_fixed(size)
      @at += size
      @bytes.unpack1(size == 4 ? "L" : "Q", offset: @at - size)
    end

    def text
      size = number
      @at += size
      @bytes.byteslice(@at - size, size)
    end

    def place
      start = number
      start...start + number
    end

    def list = Array.new(number) { yield }

    # Kind, first byte, size, state of the lexer.
    def read_tokens
      tokens = []
      while (kind = number) != 0
        tokens << [Tree::TOKENS[kind - 1], number, number, number]
      end
      tokens
    end

    def read_findings
      @encoding = Encoding.find(text)
      signed
      read_fixed(8)
      @lines = list { number }
      @comments = list { Tree::Comment.new(byte, place) }
      list { number; list { number } }
      @magic_comments = list { [place, place] }
      @data = byte == 1 ? place : nil
      @errors = list { problem }
      @warnings = list { problem }
      byte
    end

    def problem = Tree::Problem.new(number, text.force_encoding(Encoding::UTF_8), place, byte)

    def read_names(at)
      @names.each_index do |index|
        start, size = @bytes.unpack("LL", offset: at + index * 8)
        @names[index] = @bytes.byteslice(start, size).force_encoding(@encoding).to_sym
      end
    end

    # Nodes come behind their children, which they take from the stack. 255 precedes a method's body and its size.
    def read_nodes(limit)
      stack = []
      while @at < limit
        kind = byte
        case kind
        when 0 then stack << nil
        when 255 then @at += 8
        else read_node(kind, stack)
        end
      end
      stack.last
    end

    def read_node(kind, stack)
      node, _visit, fields = Tree::NODES[kind - 1]
      number
      location = place
      flags = number
      values = fields.map { |field| value(field) }
      (fields.size - 1).downto(0) do |index|
        case fields[index]
        when 110 then values[index] = stack.pop
        when 97 then values[index] = stack.pop(values[index])
        end
      end
      stack << node.new(location, flags, *values)
    end

    # What stands for a field itself; of nodes their number at most.
    def value(field)
      case field
      when 110 then nil
      when 108 then place
      when 99, 100 then (index = number) == 0 ? nil : @names[index - 1]
      when 111 then byte == 0 ? nil : place
      when 97, 117 then number
      when 115 then text.force_encoding(@encoding)
      when 67 then list { @names[number - 1] }
      when 98 then byte
      when 105 then integer
      when 102 then read_fixed(8)
      end
    end

    def integer
      negative = byte == 1
      value = list { number }.each_with_index.sum { |word, index| word << 32 * index }
      negative ? -value : value
    end
  end
end
