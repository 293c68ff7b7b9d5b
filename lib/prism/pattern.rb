# frozen_string_literal: true

module Prism
  # A pattern of `case ... in`, as an object that looks for nodes.
  #   Prism::Pattern.new("CallNode[name: :puts]").scan(tree) { |call| ... }
  # Names of constants are Prism's or Ruby's. An array's pattern has no splat, and a hash's no rest.
  class Pattern
    # What the pattern cannot have.
    class CompilationError < StandardError
      def initialize(shown)
        super(<<~TEXT)
          prism was unable to compile the pattern you provided into a usable
          expression. It failed on to understand the node represented by:

          #{shown}

          Note that not all syntax supported by Ruby's pattern matching syntax
          is also supported by prism's patterns. If you're using some syntax
          that you believe should be supported, please open an issue on
          GitHub at https://github.com/ruby/prism/issues/new.
        TEXT
      end
    end

    attr_reader :query

    def initialize(query)
      @query = query
      @compiled = nil
    end

    # A proc that tells whether a node matches.
    def compile
      match = Prism.parse("case nil\nin #{query}\nend").value.statements.body.last
      refuse(match) unless match.is_a?(CaseMatchNode)
      branch = match.conditions.last
      refuse(branch) unless branch.is_a?(InNode)
      matcher(branch.pattern)
    end

    # Yields the nodes of a tree that match, outer ones before inner ones.
    def scan(root)
      return to_enum(:scan, root) unless block_given?
      @compiled ||= compile
      queue = [root]
      while (node = queue.shift)
        yield node if @compiled.call(node)
        queue.concat(node.compact_child_nodes)
      end
    end

    private

    def refuse(node) = raise(CompilationError, node.inspect)

    def matcher(node)
      case node
      when AlternationPatternNode
        left, right = matcher(node.left), matcher(node.right)
        ->(value) { left.call(value) || right.call(value) }
      when ArrayPatternNode then elements(node)
      when HashPatternNode then fields(node)
      when ConstantReadNode then constant(node)
      when ConstantPathNode
        node.parent.is_a?(ConstantReadNode) && node.parent.name == :Prism ? constant(node) : refuse(node)
      when NilNode then equal_to(nil)
      when RegularExpressionNode then equal_to(Regexp.new(node.unescaped, node.closing[1..]))
      when StringNode then equal_to(node.unescaped)
      when SymbolNode then equal_to(node.unescaped.to_sym)
      else refuse(node)
      end
    end

    def equal_to(wanted) = ->(value) { wanted === value }

    def constant(node)
      place = [Prism, Object].find { |scope| node.name && scope.const_defined?(node.name, false) }
      place ? equal_to(place.const_get(node.name)) : refuse(node)
    end

    # `[a, b]` and `Kind[a, b]`.
    def elements(node)
      refuse(node) if node.rest || node.posts.any?
      kind = node.constant && matcher(node.constant)
      wanted = node.requireds.map { |element| matcher(element) }
      lambda do |value|
        next false if kind && !kind.call(value)
        parts = value.deconstruct
        parts.size == wanted.size && wanted.zip(parts).all? { |element, part| element.call(part) }
      end
    end

    # `{ name: a }` and `Kind[name: a]`.
    def fields(node)
      refuse(node) if node.rest
      kind = node.constant && matcher(node.constant)
      wanted = node.elements.to_h do |pair|
        pair.key.is_a?(SymbolNode) ? [pair.key.unescaped.to_sym, matcher(pair.value)] : refuse(pair)
      end
      lambda do |value|
        next false if kind && !kind.call(value)
        parts = value.deconstruct_keys(wanted.keys)
        wanted.all? { |name, field| parts.key?(name) && field.call(parts[name]) }
      end
    end
  end
end
