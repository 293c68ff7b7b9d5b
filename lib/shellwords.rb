# frozen_string_literal: true

# Words as the Bourne shell takes them apart and puts them together.
module Shellwords
  VERSION = "0.2.2".freeze

  # A word's next piece: plain, in single quotes, in double quotes or escaped; and what ends the word.
  PIECE = /\G\s*(?>([^\0\s\\'"]+)|'([^\0']*)'|"((?:[^\0"\\]|\\[^\0])*)"|(\\[^\0]?)|(\S))(\s|\z)?/m
  private_constant :PIECE

  def shellsplit(line)
    words = []
    word = +""
    line.scan(PIECE) do |plain, single, double, escape, garbage, separator|
      if garbage
        problem = garbage == "\0" ? "Nul character" : "Unmatched quote"
        raise ArgumentError, "#{problem} at #{$~.begin(5)}: ...#{garbage}"
      end
      word << (plain || single || double&.gsub(/\\([$`"\\\n])/, '\\1') || escape.gsub(/\\(.)/, '\\1'))
      if separator
        words << word
        word = +""
      end
    end
    words
  end
  alias shellwords shellsplit

  # The word, escaped where a shell would see more in it than characters.
  def shellescape(text)
    text = text.to_s
    return +"''" if text.empty?
    raise ArgumentError, "NUL character" if text.include?("\0")
    text.gsub(%r{[^A-Za-z0-9_\-.,:+/@\n]}) { |char| "\\#{char}" }.gsub("\n", "'\n'")
  end

  def shelljoin(words) = words.map { |word| shellescape(word) }.join(" ")

  module_function :shellsplit, :shellwords, :shellescape, :shelljoin

  class << self
    alias split shellsplit
    alias escape shellescape
    alias join shelljoin
  end
end

class String
  def shellsplit = Shellwords.split(self)

  def shellescape = Shellwords.escape(self)
end

class Array
  def shelljoin = Shellwords.join(self)
end
