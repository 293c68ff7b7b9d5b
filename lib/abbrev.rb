# frozen_string_literal: true

# Unambiguous beginnings of words.
module Abbrev
  # The words by themselves and by all beginnings that no other one has.
  def abbrev(words, pattern = nil)
    pattern = /\A#{Regexp.quote(pattern)}/ if String === pattern
    seen = Hash.new(0)
    table = {}
    words.each do |word|
      next if word.empty?
      (word.size - 1).downto(1) do |length|
        beginning = word[0, length]
        next if pattern && !pattern.match?(beginning)
        case seen[beginning] += 1
        when 1 then table[beginning] = word
        when 2 then table.delete(beginning)
        end
      end
    end
    words.each { |word| table[word] = word if pattern.nil? || pattern.match?(word) }
    table
  end
  module_function :abbrev
end

class Array
  def abbrev(pattern = nil) = Abbrev.abbrev(self, pattern)
end
