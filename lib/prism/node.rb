# frozen_string_literal: true

module Prism
  # Flags that every node can have.
  module NodeFlags
    NEWLINE = 1
    STATIC_LITERAL = 2
  end

  # The flags of a kind of node begin behind those.
  {
    ArgumentsNodeFlags: %i[CONTAINS_FORWARDING CONTAINS_KEYWORDS CONTAINS_KEYWORD_SPLAT CONTAINS_SPLAT CONTAINS_MULTIPLE_SPLATS],
    ArrayNodeFlags: %i[CONTAINS_SPLAT],
    CallNodeFlags: %i[SAFE_NAVIGATION VARIABLE_CALL ATTRIBUTE_WRITE IGNORE_VISIBILITY],
    EncodingFlags: %i[FORCED_UTF8_ENCODING FORCED_BINARY_ENCODING],
    IntegerBaseFlags: %i[BINARY DECIMAL OCTAL HEXADECIMAL],
    InterpolatedStringNodeFlags: %i[FROZEN MUTABLE],
    KeywordHashNodeFlags: %i[SYMBOL_KEYS],
    LoopFlags: %i[BEGIN_MODIFIER],
    ParameterFlags: %i[REPEATED_PARAMETER],
    ParenthesesNodeFlags: %i[MULTIPLE_STATEMENTS],
    RangeFlags: %i[EXCLUDE_END],
    RegularExpressionFlags: %i[
      IGNORE_CASE EXTENDED MULTI_LINE ONCE EUC_JP ASCII_8BIT WINDOWS_31J UTF_8 FORCED_UTF8_ENCODING FORCED_BINARY_ENCODING FORCED_US_ASCII_ENCODING
    ],
    ShareableConstantNodeFlags: %i[LITERAL EXPERIMENTAL_EVERYTHING EXPERIMENTAL_COPY],
    StringFlags: %i[FORCED_UTF8_ENCODING FORCED_BINARY_ENCODING FROZEN MUTABLE],
    SymbolFlags: %i[FORCED_UTF8_ENCODING FORCED_BINARY_ENCODING FORCED_US_ASCII_ENCODING]
  }.each do |group, names|
    const_set(group, Module.new)
    names.each_with_index { |name, index| const_get(group).const_set(name, 4 << index) }
  end

  # A piece of a program. Each kind is a class whose fields are read by methods of their names; a place is made an object when it is asked for.
  class Node
    class << self
      # Name and kind of each field (the letters of `Prism.__fields`), and the group of flags.
      attr_reader :__fields, :__flags

      # The kind's name.
      attr_reader :type
    end

    attr_reader :node_id, :source, :flags
    private :source
    protected :flags

    def location
      @location = Location.new(@source, @location >> 32, @location & 0xFFFFFFFF) if Integer === @location
      @location
    end

    def start_offset = Integer === @location ? @location >> 32 : @location.start_offset

    def end_offset = Integer === @location ? (@location >> 32) + (@location & 0xFFFFFFFF) : @location.end_offset

    def start_line = location.start_line
    def end_line = location.end_line
    def start_column = location.start_column
    def end_column = location.end_column
    def start_character_offset = location.start_character_offset
    def end_character_offset = location.end_character_offset
    def start_character_column = location.start_character_column
    def end_character_column = location.end_character_column
    def cached_start_code_units_offset(cache) = location.cached_start_code_units_offset(cache)
    def cached_end_code_units_offset(cache) = location.cached_end_code_units_offset(cache)
    def cached_start_code_units_column(cache) = location.cached_start_code_units_column(cache)
    def cached_end_code_units_column(cache) = location.cached_end_code_units_column(cache)
    def leading_comments = location.leading_comments
    def trailing_comments = location.trailing_comments
    def comments = location.comments
    def source_lines = location.source_lines
    alias script_lines source_lines

    # Keeps where the node stands, for after it is gone: see Relocation.
    def save(repository) = repository.enter(node_id, :itself)

    def save_location(repository) = repository.enter(node_id, :location)

    # The node's text.
    def slice = location.slice

    def slice_lines = location.slice_lines

    def newline? = flags.anybits?(NodeFlags::NEWLINE)

    def static_literal? = flags.anybits?(NodeFlags::STATIC_LITERAL)

    def type = self.class.type

    # The nodes around a place, the outermost one first.
    def tunnel(line, column)
      offset = source.byte_offset(line, column)
      found = []
      node = self
      while node
        found << node
        node = node.compact_child_nodes.find { |child| child.start_offset <= offset && offset < child.end_offset }
      end
      found
    end

    # The first node that a block wants, outer ones before inner ones.
    def breadth_first_search
      queue = [self]
      while (node = queue.shift)
        return node if yield(node)
        queue.concat(node.compact_child_nodes)
      end
      nil
    end

    # Each kind has its own.
    %i[accept child_nodes compact_child_nodes].each do |name|
      define_method(name) { |*| raise NoMethodError, "undefined method `#{name}' for #{inspect}" }
    end

    def deconstruct = child_nodes

    def each_child_node(&block)
      return to_enum(:each_child_node) unless block
      compact_child_nodes.each(&block)
    end

    # The parts that a comment can belong to.
    def comment_targets
      self.class.__fields.flat_map do |name, kind|
        case kind
        when "N", "l" then [public_send(name)]
        when "n", "o" then [*public_send(name)]
        when "a" then public_send(name)
        else []
        end
      end
    end

    # The same node with other fields.
    def copy(**changes)
      names = self.class.__fields.map(&:first)
      unknown = changes.keys - names - %i[node_id location flags]
      raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
      values = names.map { |name| changes.fetch(name) { public_send(name) } }
      self.class.new(source, changes.fetch(:node_id) { node_id }, changes.fetch(:location) { location }, changes.fetch(:flags) { flags }, *values)
    end

    def deconstruct_keys(keys)
      known = self.class.__keys
      (keys ? keys & known : known).to_h { |key| [key, public_send(key)] }
    end

    # Whether another node has the same contents. Where they stand does not matter.
    def ===(other)
      return false unless other.is_a?(self.class)
      return false if self.class.__flags && flags != other.flags
      self.class.__fields.all? do |name, kind|
        left, right = public_send(name), other.public_send(name)
        case kind
        when "l", "o" then left.nil? == right.nil?
        when "a", "C" then left.size == right.size && left.zip(right).all? { |own, its| own === its }
        else left === right
        end
      end
    end

    def inspect = InspectVisitor.compose(self)

    def pretty_print(q)
      q.seplist(inspect.chomp.each_line, -> { q.breakable }) { |line| q.text(line.chomp) }
      q.current_group.break
    end

    # Warns that a method will not stay.
    def deprecated(*replacements)
      name = caller_locations(1, 1)&.first&.base_label
      instead = replacements.map { |replacement| "#{self.class}##{replacement}" }.join("/")
      warn("[deprecation]: #{self.class}##{name} is deprecated and will be removed in the next major version. Use #{instead} instead.\n#{(caller(1, 3) || []).join("\n")}", uplevel: 1, category: :deprecated)
    end

    class << self
      # The kind's fields, as objects.
      def fields
        raise NoMethodError, "undefined method `fields' for #{inspect}" if equal?(Node)
        Reflection.fields_for(self)
      end

      # What a pattern can ask for.
      def __keys = [:node_id, :location, *__fields.map(&:first)]
    end

    # Writes the methods of each kind that have to be quick.
    class Writer
      def initialize(line)
        kind, *words = line.split
        @group = words.shift.delete_prefix("!") if words.first&.start_with?("!")
        @name = "#{kind}Node"
        @type = "#{kind.gsub(/(?<=[a-z])(?=[A-Z])|(?<=X)(?=S)/, "_").downcase}_node"
        @fields = words.filter_map { |word| [word[1..], word[0]] unless word.start_with?("x") }
      end

      attr_reader :name, :type, :group

      # What stands where something is missing has no fields that programs know of.
      def fields = @name == "MissingNode" ? [] : @fields.map { |name, kind| [name.to_sym, kind] }

      def text
        "class #{@name} < Node\n#{readers}#{initializer}#{children}#{places}#{predicates}def accept(visitor) = visitor.visit_#{@type}(self)\ndef type = :#{@type}\nend\n"
      end

      private

      def of(kinds) = @fields.filter_map { |name, kind| name if kinds.include?(kind) }

      def readers
        names = @fields.filter_map { |name, kind| ":#{name}" unless "lo".include?(kind) }
        names.empty? ? "" : "attr_reader #{names.join(", ")}\n"
      end

      def initializer
        names = ["source", "node_id", "location", "flags", *@fields.map(&:first)]
        "def initialize(#{names.join(", ")}#{" = nil" if fields.empty? && names.size > 4})\n#{names.map { |name| "@#{name} = #{name}\n" }.join}end\n"
      end

      def children
        all = @fields.filter_map { |name, kind| { "N" => "@#{name}", "n" => "@#{name}", "a" => "*@#{name}" }[kind] }
        optional = of("n").any?
        list = optional && all.size == 1 ? "[*#{all[0]}]" : "[#{all.join(", ")}]#{".compact" if optional}"
        "def child_nodes = [#{all.join(", ")}]\ndef compact_child_nodes = #{list}\n"
      end

      def places
        of("lo").map do |name|
          short = name.delete_suffix("_loc")
          "def #{name}\nInteger === @#{name} ? (@#{name} = Location.new(@source, @#{name} >> 32, @#{name} & 0xFFFFFFFF)) : @#{name}\nend\n" \
            "def save_#{name}(repository) = repository.enter(node_id, :#{name})\n" \
            "#{"def #{short} = #{name}&.slice\n" unless @fields.any? { |other, _| other == short }}"
        end.join
      end

      def predicates
        return "" unless @group
        Prism.const_get(@group).constants.map { |flag| "def #{flag.downcase}? = @flags.anybits?(#{@group}::#{flag})\n" }.join
      end
    end
    private_constant :Writer
  end

  writers = __fields.each_line.map { |line| Node.const_get(:Writer, false).new(line) }
  module_eval(writers.map(&:text).join, __FILE__, __LINE__)
  NODES = writers.map do |writer|
    const_get(writer.name).tap do |node|
      node.instance_variable_set(:@__fields, Ractor.make_shareable(writer.fields))
      node.instance_variable_set(:@__flags, writer.group && const_get(writer.group))
      node.instance_variable_set(:@type, writer.type.to_sym)
    end
  end.freeze
  private_constant :NODES

  # The parser's own name of what stands where something is missing.
  ErrorRecoveryNode = MissingNode
  private_constant :ErrorRecoveryNode
end

require "prism/node_ext"
