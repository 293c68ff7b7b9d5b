# frozen_string_literal: true

module Psych
  # What an object says about itself when it is written, and hears when it is read.
  class Coder
    attr_accessor :tag, :style, :implicit, :object
    attr_reader :type, :seq

    def initialize(tag)
      @map = {}
      @seq = []
      @implicit = false
      @type = :map
      @tag = tag
      @style = Nodes::Mapping::BLOCK
      @scalar = nil
      @object = nil
    end

    def scalar(*args)
      return @scalar if args.empty?
      @tag, @scalar, _ = args
      @type = :scalar
    end

    def scalar=(value)
      @type = :scalar
      @scalar = value
    end

    def map(tag = @tag, style = @style)
      @tag = tag
      @style = style
      yield self if block_given?
      @map
    end

    def map=(map)
      @type = :map
      @map = map
    end

    def seq=(list)
      @type = :seq
      @seq = list
    end

    def represent_scalar(tag, value)
      self.tag = tag
      self.scalar = value
    end

    def represent_seq(tag, list)
      self.tag = tag
      self.seq = list
    end

    def represent_map(tag, map)
      @tag = tag
      self.map = map
    end

    def represent_object(tag, object)
      @tag = tag
      @type = :object
      @object = object
    end

    def [](key)
      @type = :map
      @map[key]
    end

    def []=(key, value)
      @type = :map
      @map[key] = value
    end
    alias add []=
  end
end
