# frozen_string_literal: true

module Prism
  # The fields of kinds of nodes.
  module Reflection
    class Field
      attr_reader :name

      def initialize(name)
        @name = name
      end
    end

    KINDS = {
      "N" => :NodeField, "n" => :OptionalNodeField, "a" => :NodeListField, "c" => :ConstantField, "d" => :OptionalConstantField, "C" => :ConstantListField,
      "s" => :StringField, "l" => :LocationField, "o" => :OptionalLocationField, "i" => :IntegerField, "u" => :IntegerField, "b" => :IntegerField, "f" => :FloatField
    }.freeze
    private_constant :KINDS

    KINDS.values.uniq.each { |name| const_set(name, Class.new(Field)) }

    # The flags, by the methods that ask for them.
    class FlagsField < Field
      attr_reader :flags

      def initialize(name, flags)
        super(name)
        @flags = flags
      end
    end

    # The fields of a node, or of a kind of nodes.
    def self.fields_for(node)
      kind = NODES.find { |each| each.type == node.type } or raise "Unknown node type: #{node.type.inspect}"
      fields = kind.__fields.map { |name, letter| const_get(KINDS[letter]).new(name) }
      kind.__flags ? [FlagsField.new(:flags, kind.__flags.constants.map { |flag| :"#{flag.downcase}?" }), *fields] : fields
    end
  end
end
