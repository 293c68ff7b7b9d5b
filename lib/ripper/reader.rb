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
      limit = read_fixed(4)
      names = Array.new(number) { |index| name(limit + index * 8) }
      @root = Ripper.__nodes(@bytes, @at, limit, names, Tree::NODES, nil, "".dup.force_encoding(@encoding))
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
      tokens = Ripper.__tokens(@bytes, Tree::TOKENS)
      @at = tokens.pop
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

    def name(at)
      start, size = @bytes.unpack("LL", offset: at)
      @bytes.byteslice(start, size).force_encoding(@encoding).to_sym
    end
  end
end
