# carat: core

require "error_highlight" if Object.autoload?(:ErrorHighlight)

# Suggests below an error what may have been meant: names that are spelled alike.
module DidYouMean
  VERSION = "2.0.0".freeze

  autoload :Levenshtein, "did_you_mean/levenshtein"
  autoload :Jaro, "did_you_mean/jaro_winkler"
  autoload :JaroWinkler, "did_you_mean/jaro_winkler"
  autoload :SpellChecker, "did_you_mean/spell_checker"
  autoload :TreeSpellChecker, "did_you_mean/tree_spell_checker"

  # Goes in front of the classes of the errors that are explained.
  module Correctable
    # The message without suggestions.
    def original_message = to_s

    def detailed_message(highlight: true, did_you_mean: true, **)
      message = super
      return message unless did_you_mean

      begin
        suggestion = DidYouMean.formatter.message_for(corrections)
      rescue StandardError
        # A receiver that does not answer, say: then there is nothing to suggest.
        return message
      end
      suggestion = suggestion.gsub(/.+/) { |line| "\e[1m#{line}\e[m" } if highlight
      message + suggestion
    end

    def corrections = @corrections ||= spell_checker.corrections

    def spell_checker = DidYouMean.spell_checkers[self.class.to_s].new(self)
  end

  # How suggestions are written.
  class Formatter
    INDENT = "\n               ".freeze
    private_constant :INDENT

    def self.message_for(corrections)
      corrections.empty? ? "" : "\nDid you mean?  #{corrections.join(INDENT)}"
    end
  end
  PlainFormatter = Formatter
  deprecate_constant :PlainFormatter

  class << self
    # Checkers by the name of the error's class.
    attr_reader :spell_checkers

    # Errors of a class are explained by a checker: an object whose `new(error).corrections` are the suggestions.
    def correct_error(error_class, spell_checker)
      checkers = { **(spell_checkers || {}), error_class.to_s => spell_checker }
      checkers.default = NullChecker
      @spell_checkers = Ractor.make_shareable(checkers)
      error_class.prepend(Correctable) if error_class.is_a?(Class) && !(error_class < Correctable)
    end

    def formatter = Ractor.current[:__did_you_mean_formatter__] || Formatter

    def formatter=(formatter)
      Ractor.current[:__did_you_mean_formatter__] = formatter
    end
  end

  require "did_you_mean/checkers"

  correct_error NameError, NameErrorCheckers
  correct_error KeyError, KeyErrorChecker
  correct_error NoMethodError, MethodNameChecker
  correct_error LoadError, RequirePathChecker
  correct_error NoMatchingPatternKeyError, PatternKeyNameChecker
end
