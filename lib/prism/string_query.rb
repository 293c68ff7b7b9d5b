# frozen_string_literal: true

module Prism
  # What a text could be the name of.
  class StringQuery
    LETTERS = "[[:alpha:]_[:^ascii:]]"
    REST = "[[:alnum:]_[:^ascii:]]*"
    OPERATOR = %r{!|!=|!~|%|&|\*|\*\*|\+|\+@|-|-@|/|<|<<|<=|<=>|==|===|=~|>|>=|>>|\[\]|\[\]=|\^|`|\||~}
    private_constant :LETTERS, :REST, :OPERATOR

    class << self
      def local?(string) = string.match?(/\A(?![[:upper:]]|\d)#{LETTERS}#{REST}\z/o)

      def constant?(string) = string.match?(/\A[[:upper:]]#{REST}\z/o)

      def method_name?(string) = string.match?(/\A(?:#{LETTERS}#{REST}[?!=]?|#{OPERATOR})\z/o)
    end

    attr_reader :string

    def initialize(string)
      @string = string
    end

    def local? = StringQuery.local?(string)
    def constant? = StringQuery.constant?(string)
    def method_name? = StringQuery.method_name?(string)
  end
end
