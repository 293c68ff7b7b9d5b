# frozen_string_literal: true

module Psych
  # Says what a plain scalar is: a number, a date, a symbol …
  class ScalarScanner
    TIME = /\A-?\d{4}-\d{1,2}-\d{1,2}(?:[Tt]|\s+)\d{1,2}:\d\d:\d\d(?:\.\d*)?(?:\s*(?:Z|[-+]\d{1,2}:?(?:\d\d)?))?\z/
    DATE = /\A\d{4}-(?:1[012]|0\d|\d)-(?:[12]\d|3[01]|0\d|\d)\z/
    FLOAT = /\A[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][+-][0-9]+)?\z/
    INTEGER = /\A[-+]?(?:0b[_,]*[01][01_,]*|0[_,]*[0-7][0-7_,]*|0|[1-9](?:[0-9]|,[0-9]|_[0-9])*|0x[_,]*\h[\h_,]*)\z/
    STRICT_INTEGER = /\A[-+]?(?:0b_*[01][01_]*|0_*[0-7][0-7_]*|0|[1-9](?:[0-9]|_[0-9])*|0x_*\h[\h_]*)\z/
    SEXAGESIMAL = /\A[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}\z/
    SEXAGESIMAL_FLOAT = /\A[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}\.[0-9_]*\z/
    WORDS = {
      "~" => nil, "null" => nil, "Null" => nil, "NULL" => nil, "" => nil
    }.merge(["yes", "true", "on"].flat_map { |word| [word, word.capitalize, word.upcase] }.to_h { |word| [word, true] },
            ["no", "false", "off"].flat_map { |word| [word, word.capitalize, word.upcase] }.to_h { |word| [word, false] }).freeze
    # The longest word that is no string.
    LONGEST_WORD = 5
    private_constant :DATE, :LONGEST_WORD, :SEXAGESIMAL, :SEXAGESIMAL_FLOAT, :WORDS

    def initialize(loader, strict_integer: false, parse_symbols: true)
      @loader = loader
      @parse_symbols = parse_symbols
      @integer = strict_integer ? STRICT_INTEGER : INTEGER
    end

    def tokenize(text)
      case text.getbyte(0)
      when 48..57 then number(text)
      when 43, 45, 46 then text.match?(/\A[-+]?\.?[0-9]/) ? number(text) : special(text)
      when 58 then @parse_symbols && text.size > 1 ? symbol(text) : text
      else text.size > LONGEST_WORD ? text : WORDS.fetch(text) { WORDS.fetch(text.downcase, text) }
      end
    end

    def parse_time(text)
      klass = @loader.load("Time")
      date, time = text.split(/\s+|[tT]/, 2)
      year, month, day = date.match(/\A(-?\d{4})-(\d{1,2})-(\d{1,2})/).captures.map(&:to_i)
      match = time.match(/(\d+:\d+:\d+)(?:\.(\d*))?\s*(Z|[-+]\d+(?::?\d\d)?)?/)
      hour, minute, second = match[1].split(":").map(&:to_i)
      microsecond = match[2] ? Rational("0.#{match[2].empty? ? 0 : match[2]}") * 1_000_000 : 0
      moment = klass.utc(year, month, day, hour, minute, second, microsecond)
      return moment if match[3] == "Z"
      return klass.at((moment - moment.utc_offset).to_r) unless match[3]
      offset = offset_of(match[3])
      klass.at((moment - offset).to_r, in: offset)
    end

    private

    def number(text)
      if text.match?(@integer) then integer(text)
      elsif text.match?(FLOAT) then text.match?(/\A[-+]?\.\z/) ? text : Float(text.delete(",_").gsub(/\.([Ee]|\z)/, '\1'))
      elsif text.match?(TIME) then time(text)
      elsif text.match?(DATE) then date(text)
      elsif text.match?(SEXAGESIMAL) then sixties(text.delete("_"), :to_i)
      elsif text.match?(SEXAGESIMAL_FLOAT) then sixties(text.delete("_"), :to_f)
      else text
      end
    end

    def special(text)
      case text
      when /\A\+?\.inf\z/i then Float::INFINITY
      when /\A-\.inf\z/i then -Float::INFINITY
      when /\A\.nan\z/i then Float::NAN
      else text
      end
    end

    def integer(text)
      Integer(text.delete(",_"))
    rescue ArgumentError
      text
    end

    def time(text)
      parse_time(text)
    rescue ArgumentError
      text
    end

    def date(text)
      require "date"
      @loader.load("Date").strptime(text, "%F", Date::GREGORIAN)
    rescue ArgumentError
      text
    end

    def symbol(text)
      name = text[1..]
      name = name[1..-2] if name.match?(/\A(["']).*\1\z/m)
      @loader.symbolize(name)
    end

    # Hours, minutes and seconds, or what there is of them from the left.
    def sixties(text, conversion)
      text.split(":").each_with_index.sum { |part, index| part.__send__(conversion) * 60**(index - 2).abs }
    end

    def offset_of(zone)
      hours, minutes = zone.include?(":") ? zone.split(":") : [zone[0, 3], zone[3, 2]]
      minutes = minutes.to_i * 60
      hours.start_with?("-") ? hours.to_i * 3600 - minutes : hours.to_i * 3600 + minutes
    end
  end
end
