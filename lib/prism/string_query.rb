# frozen_string_literal: true

module Prism
  # What a text could be the name of.
  class StringQuery
    LETTERS = "[[:alpha:]_[:^ascii:]]".freeze
    REST = "[[:alnum:]_[:^ascii:]]*".freeze
    OPERATOR = %r{!|!=|!~|%|&|\*|\*\*|\+|\+@|-|-@|/|<|<<|<=|<=>|==|===|=~|>|>=|>>|\[\]|\[\]=|\^|`|\||~}
    private_constant :LETTERS, :REST, :OPERATOR

    class << self
      def local?(string) = matches?(string, /\A(?![[:upper:]]|\d)#{LETTERS}#{REST}\z/o)

      def constant?(string) = matches?(string, /\A[[:upper:]]#{REST}\z/o)

      # A numbered parameter is no method's name.
      def method_name?(string) = matches?(string, /\A(?!_[1-9]\z)(?:#{LETTERS}#{REST}[?!=]?|#{OPERATOR})\z/o)

      private

      def matches?(string, pattern)
        raise ArgumentError, "Invalid or non ascii-compatible encoding" unless string.encoding.ascii_compatible?
        string.valid_encoding? && string.match?(pattern)
      end
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
