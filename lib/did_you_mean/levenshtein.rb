# carat: core

module DidYouMean
  # How many characters must be inserted, removed or replaced to make one text of another.
  module Levenshtein
    module_function

    def distance(left, right)
      others = right.codepoints
      # Distances of what was read of the left text from each beginning of the right one.
      row = (0..others.size).to_a
      left.each_codepoint.with_index(1) do |char, count|
        diagonal, row[0] = row[0], count
        others.each_with_index do |other, index|
          replaced = diagonal + (char == other ? 0 : 1)
          diagonal = row[index + 1]
          row[index + 1] = [row[index] + 1, diagonal + 1, replaced].min
        end
      end
      row.last
    end
  end
end
