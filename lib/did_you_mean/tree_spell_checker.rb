# carat: core

module DidYouMean
  # Finds paths that are spelled alike: each folder is looked up among those at its depth, the file among those in the folders
  # that were found.
  class TreeSpellChecker
    attr_reader :dictionary, :separator, :augment

    # augment: where no folder is alike, paths are compared as a whole.
    def initialize(dictionary:, separator: "/", augment: nil)
      @dictionary = dictionary
      @separator = separator
      @augment = augment
    end

    def correct(input)
      suggestions = suggestions_for(input, plausible_dimensions(input))
      return suggestions unless suggestions.empty? && augment

      SpellChecker.new(dictionary:).correct(input)
    end

    def dictionary_without_leaves
      @dictionary_without_leaves ||= dictionary.map { |path| path.split(separator)[0..-2] }.uniq
    end

    def tree_depth = @tree_depth ||= dictionary_without_leaves.map(&:size).max || 0

    # The folders at each depth.
    def dimensions
      @dimensions ||= Array.new(tree_depth) { |depth| dictionary_without_leaves.filter_map { |folders| folders[depth] }.uniq }
    end

    def find_leaves(path)
      folder = "#{path}#{separator}"
      dictionary.select { |entry| entry.include?(folder) }.map { |entry| entry.gsub(folder, "") }
    end

    # For each folder of the input those that it may be.
    def plausible_dimensions(input)
      folders = input.split(separator)[0..-2]
      folders.each_with_index.filter_map { |folder, depth| similar(dimensions[depth], folder) if dimensions[depth] }
    end

    def possible_paths(states) = states.map { |folders| folders.join(separator) }

    private

    def suggestions_for(input, plausible)
      return [] if plausible.empty?

      leaf = input.split(separator).last
      possible_paths(plausible.first.product(*plausible.drop(1))).flat_map { |path| files_in(path, leaf) }
    end

    def files_in(path, leaf)
      names = find_leaves(path)
      found = similar(names, leaf)
      found = [leaf] if !found.empty? && names.include?(leaf)
      found.map { |name| "#{path}#{separator}#{name}" }
    end

    def similar(names, wanted)
      return names if names.size == 1

      wanted = wanted.downcase.tr("@", " ")
      names.include?(wanted) ? [wanted] : SpellChecker.new(dictionary: names).correct(wanted)
    end
  end
end
