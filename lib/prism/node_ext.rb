# frozen_string_literal: true

# What single kinds of nodes know beyond their fields.
module Prism
  # The options that a literal of a Regexp has.
  module RegularExpressionOptions
    ENCODINGS = RegularExpressionFlags::EUC_JP | RegularExpressionFlags::WINDOWS_31J | RegularExpressionFlags::UTF_8
    BITS = {
      RegularExpressionFlags::IGNORE_CASE => Regexp::IGNORECASE, RegularExpressionFlags::EXTENDED => Regexp::EXTENDED,
      RegularExpressionFlags::MULTI_LINE => Regexp::MULTILINE, ENCODINGS => Regexp::FIXEDENCODING, RegularExpressionFlags::ASCII_8BIT => Regexp::NOENCODING
    }.freeze
    private_constant :ENCODINGS, :BITS

    def options = BITS.sum { |flag, option| flags.anybits?(flag) ? option : 0 }
  end
  private_constant :RegularExpressionOptions

  [InterpolatedMatchLastLineNode, InterpolatedRegularExpressionNode, MatchLastLineNode, RegularExpressionNode].each do |node|
    node.include(RegularExpressionOptions)
  end

  module HeredocQuery
    def heredoc? = opening&.start_with?("<<")
  end
  private_constant :HeredocQuery

  [InterpolatedStringNode, InterpolatedXStringNode, StringNode, XStringNode].each { |node| node.include(HeredocQuery) }

  class StringNode
    # The same text as one with a single part.
    def to_interpolated
      flags = frozen? ? InterpolatedStringNodeFlags::FROZEN : 0
      InterpolatedStringNode.new(source, -1, location, flags, opening_loc, [copy(location: content_loc, opening_loc: nil, closing_loc: nil)], closing_loc)
    end
  end

  class XStringNode
    def to_interpolated
      part = StringNode.new(source, node_id, content_loc, 0, nil, content_loc, nil, unescaped)
      InterpolatedXStringNode.new(source, -1, location, flags, opening_loc, [part], closing_loc)
    end
  end

  class ImaginaryNode
    def value = Complex(0, numeric.value)
  end

  class RationalNode
    def value = Rational(numerator, denominator)
  end

  [ConstantReadNode, ConstantWriteNode, ConstantTargetNode].each do |node|
    node.class_eval do
      def full_name_parts = [name]
      def full_name = name.to_s
    end
  end

  class ConstantPathNode
    # A part is computed when the program runs.
    class DynamicPartsInConstantPathError < StandardError
    end

    class MissingNodesInConstantPathError < StandardError
    end

    # The names from the outermost one on; an empty one in front if the path begins with `::`.
    def full_name_parts = ConstantPathNode.parts(self)

    def full_name = full_name_parts.join("::")

    def self.parts(node)
      parts = []
      while node.is_a?(ConstantPathNode) || node.is_a?(ConstantPathTargetNode)
        raise MissingNodesInConstantPathError, "Constant path contains missing nodes. Cannot compute full name" if node.name.nil?
        parts.unshift(node.name)
        node = node.parent
      end
      raise DynamicPartsInConstantPathError, "Constant path contains dynamic parts. Cannot compute full name" unless node.nil? || node.is_a?(ConstantReadNode)
      parts.unshift(node ? node.name : :"")
    end
  end

  class ConstantPathTargetNode
    def full_name_parts = ConstantPathNode.parts(self)

    def full_name = full_name_parts.join("::")
  end

  class ParametersNode
    # What `Method#parameters` says of them.
    def signature
      names = requireds.map { |each| required(each) } + optionals.map { |each| [:opt, each.name] }
      names << [:rest, rest.name || :*] if rest.is_a?(RestParameterNode)
      names.concat(posts.map { |each| required(each) })
      optional, needed = keywords.partition { |each| each.is_a?(OptionalKeywordParameterNode) }
      names.concat(needed.map { |each| [:keyreq, each.name] }, optional.map { |each| [:key, each.name] })
      case keyword_rest
      when ForwardingParameterNode then names.push([:rest, :*], [:keyrest, :**], [:block, :&])
      when KeywordRestParameterNode then names << [:keyrest, keyword_rest.name || :**]
      when NoKeywordsParameterNode then names << [:nokey]
      end
      names << [:block, block.name || :&] if block.is_a?(BlockParameterNode)
      names
    end

    private

    def required(node)
      case node
      when MultiTargetNode then [:req]
      when MissingNode then raise "Invalid syntax"
      else [:req, node.name]
      end
    end
  end

  class CallNode
    # The message with the `=` that writes an attribute.
    def full_message_loc = attribute_write? ? message_loc&.adjoin("=") : message_loc
  end

  # Older names of fields, which tell of the newer ones.
  {
    consequent: { else_clause: [CaseMatchNode, CaseNode, UnlessNode], subsequent: [IfNode, RescueNode] },
    operator: { binary_operator: NODES.select { |kind| kind.method_defined?(:binary_operator) } },
    operator_loc: { binary_operator_loc: NODES.select { |kind| kind.method_defined?(:binary_operator_loc) } }
  }.each do |old, names|
    names.each do |name, kinds|
      kinds.each do |kind|
        kind.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
          def #{old}
            deprecated("#{name}")
            #{name}
          end
        RUBY
      end
    end
  end

  [ConstantPathNode, ConstantPathTargetNode].each do |kind|
    kind.class_eval do
      def child
        deprecated("name", "name_loc")
        name ? ConstantReadNode.new(source, -1, name_loc, 0, name) : MissingNode.new(source, -1, location, 0)
      end
    end
  end

  class RationalNode
    # The number without its `r`, as a node.
    def numeric
      deprecated("value", "numerator", "denominator")
      place = location.chop
      denominator == 1 ? IntegerNode.new(source, -1, place, flags, numerator) : FloatNode.new(source, -1, place, 0, numerator.to_f / denominator)
    end
  end
end
