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
  DefaultList.accept(Object) { |text, *| text || text.nil? }
  DefaultList.accept(NilClass, /.*/m) { |text, *| text }
  DefaultList.accept(String, /.+/m) { |text, *| text }

  DefaultList.accept(Integer, /\A[-+]?(?:#{INTEGER})\z/io) do |text, *|
    Integer(text) if text
  rescue ArgumentError
    raise InvalidArgument, text
  end

  DefaultList.accept(Float, /\A[-+]?#{FLOAT}\z/io) { |text, *| text&.to_f }

  # An Integer, a Rational or a Float, as it is written. FLOAT's group is what stands behind the digits.
  DefaultList.accept(Numeric, /\A(#{REAL})(?:\/(#{REAL}))?\z/io) do |text, first, behind, second, *|
    if second then Rational(first, second)
    elsif text then behind ? Float(text) : Integer(text)
    end
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

  DecimalNumeric = /\A[-+]?#{FLOAT}\z/io
  DefaultList.accept(DecimalNumeric, DecimalNumeric) do |text, behind, *|
    behind ? Float(text) : Integer(text) if text
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

  REGEXP_FLAGS = {"i" => Regexp::IGNORECASE, "m" => Regexp::MULTILINE, "x" => Regexp::EXTENDED}.freeze
  REGEXP_ENCODINGS = {"u" => Encoding::UTF_8, "e" => Encoding::EUC_JP, "s" => Encoding::SJIS}.freeze
  private_constant :REGEXP_FLAGS, :REGEXP_ENCODINGS

  DefaultList.accept(Regexp, %r{\A/((?:\\.|[^\\])*)/([[:alpha:]]+)?\z|.*}) do |all, source, options|
    next Regexp.new(source || all) unless options
    flags = REGEXP_FLAGS.sum { |letter, flag| options.include?(letter) ? flag : 0 }
    case (encoding = options.delete("imx"))
    when "" then nil
    when "n" then flags |= Regexp::NOENCODING
    else
      encoding = REGEXP_ENCODINGS.fetch(encoding) { raise InvalidArgument, "unknown regexp option - #{encoding}" }
      source = source.encode(encoding)
    end
    Regexp.new(source, flags)
  end

  # Names of types whose values are classes or patterns.
  module Acceptables
    DecimalInteger = OptionParser::DecimalInteger
    OctalInteger = OptionParser::OctalInteger
    DecimalNumeric = OptionParser::DecimalNumeric
  end
end
