# carat: core

module DidYouMean
  # How alike two texts are, from 0 to 1: characters that both have at about the same place, and in what order.
  module Jaro
    module_function

    def distance(left, right)
      shorter, longer = left.codepoints, right.codepoints
      shorter, longer = longer, shorter if shorter.size > longer.size
      pairs = matches(shorter, longer)
      return 0 if pairs.empty?

      count = pairs.size.to_f
      in_order = pairs.map(&:last).sort
      moved = pairs.each_with_index.count { |(own, _), index| shorter[own] != longer[in_order[index]] } / 2
      (count / shorter.size + count / longer.size + (count - moved) / count) / 3
    end

    # Pairs of indices of characters that are equal and near each other; no character is taken twice.
    def matches(shorter, longer)
      range = longer.size > 3 ? longer.size / 2 - 1 : 0
      taken = []
      shorter.each_with_index.filter_map do |char, index|
        found = ([index - range, 0].max..index + range).find { |at| !taken[at] && longer[at] == char }
        next unless found

        taken[found] = true
        [index, found]
      end
    end
    private_class_method :matches
  end

  # As Jaro; texts that begin alike are more so.
  module JaroWinkler
    WEIGHT = 0.1
    THRESHOLD = 0.7
    PREFIX = 4
    private_constant :PREFIX

    module_function

    def distance(left, right)
      distance = Jaro.distance(left, right)
      return distance unless distance > THRESHOLD

      others = right.codepoints
      same = left.codepoints.first(PREFIX).each_with_index.take_while { |char, index| char == others[index] }.size
      distance + same * WEIGHT * (1 - distance)
    end
  end
end
