# frozen_string_literal: true

class OptionParser
  # What every parser knows: the end of the options, and the usual types.
  DefaultList = List.new
  DefaultList.short["-"] = Switch::NoArgument.new {}
  DefaultList.long[""] = Switch::NoArgument.new { throw :terminate }

  DECIMAL = '\d+(?:_\d+)*'
  BINARY = 'b[01]+(?:_[01]+)*'
  HEX = 'x[\da-f]+(?:_[\da-f]+)*'
  OCTAL = "0(?:[0-7]+(?:_[0-7]+)*|#{BINARY}|#{HEX})?"
  INTEGER = "#{OCTAL}|#{DECIMAL}"
  FLOAT = "(?:#{DECIMAL}(?=(.)?)(?:\\.(?:#{DECIMAL})?)?|\\.#{DECIMAL})(?:E[-+]?#{DECIMAL})?"
  REAL = "[-+]?(?:#{OCTAL}|#{FLOAT})"
  private_constant :DECIMAL, :BINARY, :HEX, :OCTAL, :INTEGER, :FLOAT, :REAL

  # A switch that was given without its optional argument is true.
  DefaultList.accept(Object, /.*/m) { |text, *| text || true }
  DefaultList.accept(NilClass, /.*/m) { |text, *| text }
  DefaultList.accept(String, /.+/m) { |text, *| text }

  DefaultList.accept(Integer, /\A[-+]?(?:#{INTEGER})\z/io) do |text, *|
    Integer(text) if text
  rescue ArgumentError
    raise InvalidArgument, text
  end

  DefaultList.accept(Float, /\A[-+]?#{FLOAT}\z/io) { |text, *| text&.to_f }

  # An Integer, a Rational or a Float, as it is written.
  DefaultList.accept(Numeric, /\A(#{REAL})(?:\/(#{REAL}))?\z/io) do |text, first, fraction, second, *|
    if second then Rational(first, second)
    elsif text then Float(text).then { |number| text.match?(/\A[-+]?\d+\z/) ? Integer(text, 10) : number }
    end
  rescue ArgumentError
    Integer(text)
  end

  DecimalInteger = /\A[-+]?#{DECIMAL}\z/io
  DefaultList.accept(DecimalInteger, DecimalInteger) do |text, *|
    Integer(text, 10) if text
  rescue ArgumentError
    raise InvalidArgument, text
  end

  OctalInteger = /\A[-+]?(?:[0-7]+(?:_[0-7]+)*|0(?:#{BINARY}|#{HEX}))\z/io
  DefaultList.accept(OctalInteger, OctalInteger) do |text, *|
    Integer(text, 8) if text
  rescue ArgumentError
    raise InvalidArgument, text
  end

  DecimalNumeric = /\A[-+]?(?:#{DECIMAL}(?:\.(?:#{DECIMAL})?)?|\.#{DECIMAL})(?:E[-+]?#{DECIMAL})?\z/io
  DefaultList.accept(DecimalNumeric, DecimalNumeric) do |text, *|
    text.match?(/[.e]/i) ? Float(text) : Integer(text, 10) if text
  rescue ArgumentError
    raise InvalidArgument, text
  end

  yes = CompletingHash.new
  ["-", "no", "false"].each { |name| yes[name] = false }
  ["+", "yes", "true"].each { |name| yes[name] = true }
  yes["nil"] = false
  DefaultList.accept(TrueClass, yes) { |_, value| value.nil? || value }
  DefaultList.accept(FalseClass, yes) { |_, value| !value.nil? && value }

  DefaultList.accept(Array) { |text, *| text.split(",").map { |part| part unless part.empty? } if text }

  DefaultList.accept(Regexp, %r{\A/((?:\\.|[^\\])*)/([[:alpha:]]*)\z|.*}) do |all, source, options|
    flags = 0
    if options
      flags |= Regexp::IGNORECASE if options.include?("i")
      flags |= Regexp::MULTILINE if options.include?("m")
      flags |= Regexp::EXTENDED if options.include?("x")
    end
    Regexp.new(source || all, flags)
  end

  # Names of types whose values are classes or patterns.
  module Acceptables
    DecimalInteger = OptionParser::DecimalInteger
    OctalInteger = OptionParser::OctalInteger
    DecimalNumeric = OptionParser::DecimalNumeric
  end
end
