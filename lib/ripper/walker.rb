# frozen_string_literal: true

require "ripper/tree"
require "ripper/walker/calls"
require "ripper/walker/definitions"
require "ripper/walker/control"
require "ripper/walker/assignments"
require "ripper/walker/literals"
require "ripper/walker/patterns"

class Ripper
  # Goes through the tree of a source, from its leaves to its root, and sends the events of its nodes; before that, those of the tokens in front of where a node ends.
  class Walker
    include Tree
    include Calls
    include Definitions
    include Control
    include Assignments
    include Literals
    include Patterns

    def initialize(ripper, source, reader, tokens, problems)
      @ripper = ripper
      @source = source
      @reader = reader
      @tokens = tokens
      @problems = problems
      @told = @read = -1
      @values = []
    end

    def run
      return report if @problems.fatal?
      result = visit(@reader.root)
      tell_through(@tokens.list.size - 1)
      result
    end

    private

    # What is wrong is told of where it is, between the tokens.
    def report
      @problems.each_error do |offset, event, *values|
        tell_through(@tokens.before(offset + 1))
        @ripper.__send__(event, *values)
      end
      tell_through(@tokens.list.size - 1)
      nil
    end

    # ---- tokens ----

    def tell_through(index)
      @read = index if index > @read
      tell(index)
    end

    def tell(index)
      return tell_quietly(index) if @problems.none?
      while @told < index
        token = @tokens.list[@told += 1]
        @problems.each_compile_error(token.offset) { |message| @ripper.__send__(:compile_error, message) }
        @problems.each_warning(token.offset) { |event, *values| @ripper.__send__(event, *values) }
        @problems.each_magic_comment(token) { |name, value| @ripper.__send__(:on_magic_comment, name, value) } if token.event == :comment
        @values[@told] = @ripper.__tell(token)
      end
    end

    # The same where nothing is wrong, and no comment says anything.
    def tell_quietly(index)
      list = @tokens.list
      while @told < index
        token = list[@told += 1]
        @values[@told] = @ripper.__tell(token)
      end
    end

    # A piece that nothing closes has ended when the next token comes.
    def look_ahead
      told = @told
      return if told > @read || told < 0
      token = @tokens.list[told]
      event = token.event
      tell_next(told + 1) unless event == :kw ? token.text == "end" : CLOSING[event]
    end

    # The same behind a piece that a closing token does not end.
    def look_behind_all
      tell_next(@told + 1) unless @told > @read || @told < 0
    end

    def tell_next(at)
      list = @tokens.list
      at += 1 while (token = list[at]) && (SKIPPED[token.event] && !token.ends_line || token.is_early)
      tell(at) if token
    end

    # What the parser does not see.
    SKIPPED = %i[sp ignored_nl comment embdoc_beg embdoc embdoc_end].to_h { |event| [event, true] }.freeze
    private_constant :SKIPPED

    CLOSING = %i[
      rparen rbracket rbrace tstring_end regexp_end heredoc_end embexpr_end int float rational imaginary CHAR comma semicolon nl op lparen lbracket lbrace period embexpr_beg
    ].to_h { |event| [event, true] }.freeze
    private_constant :CLOSING

    # Tells of all tokens that begin before a byte.
    def through(offset) = tell_through(@tokens.before(offset))

    # What the event of the token at a byte returned.
    def token_at(offset)
      index = @tokens.at(offset)
      return through(offset + 1) unless index
      tell_through(index)
      @values[index]
    end

    def token(place) = place && token_at(place.begin)

    def text(place) = place && @source.byteslice(place)

    # The tokens between two bytes without blanks and comments.
    def tokens_between(first, last)
      @tokens.between(first, last).reject { |token| SKIPPED[token.event] }
    end

    def comma_before?(offset, first)
      @tokens.between(first, offset).reverse_each { |token| return token.event == :comma unless SKIPPED[token.event] }
      false
    end

    # The value of a part that something is wrong with goes through an event of its own.
    def checked(node, event, value)
      message = @problems.message(event, node)
      message ? on(event, message, value) : value
    end

    # ---- nodes ----

    def visit(node) = node && __send__(node.visit, node)

    def visit_all(nodes) = nodes.map { |node| visit(node) }

    # An event of a node, behind the tokens that the node ends with.
    def finish(node, event, *values)
      through(node.last)
      look_ahead
      @ripper.__send__(event, *values)
    end

    def on(event, *values)
      look_ahead
      @ripper.__send__(event, *values)
    end

    # An event that the parser need not read on for: no other token could come to this.
    def at_once(event, *values) = @ripper.__send__(event, *values)

    # An event of what any token but an ending one would continue, however it ends.
    def on_after_next(event, *values)
      look_behind_all
      @ripper.__send__(event, *values)
    end

    # An event of a list of statements, which any number of line ends and semicolons may end.
    def on_after_terms(event, *values)
      look_through_terms
      at_once(event, *values)
    end

    def look_through_terms
      while (token = @tokens.list[@told]) && TERMS[token.event]
        @read = @told
        look_behind_all
        break if @told == @read
      end
      look_behind_all
    end

    TERMS = {nl: true, semicolon: true}.freeze
    private_constant :TERMS

    def visit_program_node(node)
      tell_through(@tokens.list.size - 1) if node.statements.body.empty?
      statements = statements(node.statements, 0)
      tell_through(@tokens.list.size - 1)
      on(:on_program, statements)
    end

    def visit_statements_node(node) = statements(node, node.first)

    # Statements that begin behind a byte. Where a line or a semicolon ends before the first one there is an empty statement; `skips` is the end of a line that belongs to what is in
    # front.
    def statements(node, from, skips: false)
      body = node.is_a?(StatementsNode) ? node.body : [*node]
      return on(:on_stmts_add, on_after_terms(:on_stmts_new), on(:on_void_stmt)) if body.empty?
      is_begun = empty_statement?(from, body.first.first, skips)
      list = on(:on_stmts_add, on(:on_stmts_new), on(:on_void_stmt)) if is_begun
      body.each do |statement|
        value = visit(statement)
        look_behind_all
        list = on(:on_stmts_new) unless is_begun
        is_begun = true
        list = on(:on_stmts_add, list, value)
      end
      list
    end

    def empty_statement?(from, to, skips)
      ends = @tokens.between(from, to).count { |token| token.event == :semicolon || token.event == :nl || token.ends_line }
      ends > (skips ? 1 : 0)
    end

    def visit_parentheses_node(node)
      through(node.opening_loc.end)
      body =
        case node.body
        when nil then empty_parentheses(node)
        when StatementsNode then statements(node.body, node.opening_loc.end)
        else visit(node.body)
        end
      finish(node, :on_paren, body)
    end

    def empty_parentheses(node)
      through(node.closing_loc.begin)
      on(:on_stmts_add, on(:on_stmts_new), on(:on_void_stmt))
    end

    # ---- variables and other words ----

    def variable(node) = on(:on_var_ref, token_at(node.first))

    %i[
      nil true false self source_file source_line source_encoding local_variable_read instance_variable_read class_variable_read global_variable_read constant_read
    ].each { |name| define_method(:"visit_#{name}_node") { |node| variable(node) } }

    # Without parameters `it` may still be a method's name when it is read.
    def visit_it_local_variable_read_node(node) = on(:on_vcall, token_at(node.first))
    def visit_back_reference_read_node(node) = token_at(node.first)
    def visit_numbered_reference_read_node(node) = token_at(node.first)

    def visit_constant_path_node(node)
      return on(:on_top_const_ref, (through(node.delimiter_loc.end); token(node.name_loc))) unless node.parent
      parent = visit(node.parent)
      finish(node, :on_const_path_ref, parent, token(node.name_loc))
    end

    def visit_missing_node(node) = through(node.last)
    def visit_shareable_constant_node(node) = visit(node.write)
    def visit_implicit_node(_node) = nil
  end
end
