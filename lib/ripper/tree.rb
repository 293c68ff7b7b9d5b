# frozen_string_literal: true

class Ripper
  # The parser's tokens and tree, read from its serialised form.
  module Tree
    # The parser's tokens by their numbers, from 1 on, as Ripper names them. `-` is no token of Ripper's.
    TOKENS = %i[
      - rbrace comma embexpr_end kw kw kw kw kw kw kw kw kw nl nl rparen op semicolon op op op op op backtick backref op op op lbrace lbrace lbrace
      lbracket lbracket op op rbracket op op CHAR cvar op op comment const period op op embdoc_beg embdoc_end embdoc embexpr_beg embvar op op op op op
      float imaginary rational imaginary gvar op op op op heredoc_end heredoc_beg ident ignored_nl ivar int imaginary rational imaginary kw kw kw kw kw
      kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw kw label label_end tlambeg op op op op op
      ident op op tlambda backref lparen lparen lparen op op qsymbols_beg qwords_beg backtick symbols_beg words_beg op op op op op op regexp_beg
      regexp_end op op op op op op tstring_beg tstring_content tstring_end symbeg op op op op op op op op op op words_sep - backtick __end__
    ].freeze

    # A node of the tree, made by `Ripper.__nodes`. Its place and the places of its parts are ranges of byte offsets, which are made when they are asked for.
    class Node
      attr_reader :flags

      def location = @location = Node.range(@location)
      def first = Integer === @location ? @location >> 32 : @location.begin
      def last = Integer === @location ? (@location >> 32) + (@location & 0xFFFFFFFF) : @location.end

      def self.range(place) = Integer === place ? (place >> 32)...(place >> 32) + (place & 0xFFFFFFFF) : place
    end

    # The kinds of nodes, each with a method for each of its fields, and one that names the walker's.
    def self.make(line)
      kind, *words = line.split
      names = words.reject { |word| word.start_with?("!", "x") }.group_by { |word| word.start_with?("l", "o") ? :places : :values }.transform_values { |list| list.map { |word| word[1..] } }
      readers = names[:values]&.map { |name| "attr_accessor :#{name}\n" }
      places = names[:places]&.map { |name| "def #{name} = @#{name} && (@#{name} = Node.range(@#{name}))\n" }
      "class #{kind}Node < Node\n#{readers&.join}#{places&.join}def visit = :visit_#{kind.gsub(/(?<=[a-z])(?=[A-Z])/, "_").downcase}_node\nend\n"
    end
    private_class_method :make

    lines = Ripper.__fields.lines
    module_eval(lines.map { |line| make(line) }.join, __FILE__, __LINE__)
    NODES = lines.map { |line| const_get("#{line.split.first}Node") }.freeze

    class SymbolNode
      alias content_loc value_loc
    end

    Comment = Struct.new(:kind, :location)
    Problem = Struct.new(:number, :message, :location, :level)
  end
end
