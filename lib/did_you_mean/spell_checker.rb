# carat: core

module DidYouMean
  # Finds the words of a dictionary that are spelled most like another one.
  #   DidYouMean::SpellChecker.new(dictionary: ["email", "fail"]).correct("meail") #=> ["email"]
  class SpellChecker
    def initialize(dictionary:)
      @dictionary = dictionary
    end

    # Mistyped words: few characters differ. If there are none, the one misspelled word that is most alike.
    def correct(input)
      wanted = normalize(input)
      words = similar_words(input, wanted)
      limit = (wanted.length * 0.25).ceil
      mistyped = words.select { |word| Levenshtein.distance(normalize(word), wanted) <= limit }
      return mistyped unless mistyped.empty?

      words.select { |word| is_misspelled?(normalize(word), wanted) }.first(1)
    end

    private

    # The most similar come first.
    def similar_words(input, wanted)
      threshold = wanted.length > 3 ? 0.834 : 0.77
      words = @dictionary.select { |word| JaroWinkler.distance(normalize(word), wanted) >= threshold }
      words.reject! { |word| input.to_s == word.to_s }
      words.sort_by! { |word| JaroWinkler.distance(word.to_s, wanted) }.reverse!
    end

    def is_misspelled?(word, wanted)
      Levenshtein.distance(word, wanted) < [wanted.length, word.length].min
    end

    def normalize(word) = word.to_s.downcase.tr("@", "")
  end
end
