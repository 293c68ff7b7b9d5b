# frozen_string_literal: true

module Prism
  # Keeps where nodes stand without the nodes: an entry parses its source again when it is asked.
  #   places = Prism::Relocation.filepath("main.rb").lines.comments
  #   entry = node.save(places)
  #   entry.start_line #=> 3
  module Relocation
    # The methods of an Entry by the method of a Repository that brings them.
    FIELDS = {
      lines: %i[start_line end_line], offsets: %i[start_offset end_offset], character_offsets: %i[start_character_offset end_character_offset],
      columns: %i[start_column end_column], character_columns: %i[start_character_column end_character_column]
    }.freeze

    # Those for which an encoding is given, with what a place calls them.
    CODE_UNITS = {
      code_unit_offsets: { start_code_units_offset: :cached_start_code_units_offset, end_code_units_offset: :cached_end_code_units_offset },
      code_unit_columns: { start_code_units_column: :cached_start_code_units_column, end_code_units_column: :cached_end_code_units_column }
    }.freeze
    private_constant :FIELDS, :CODE_UNITS

    # What is known of one place.
    class Entry
      class MissingValueError < StandardError; end

      def initialize(repository)
        @repository = repository
        @values = nil
      end

      [:filepath, *FIELDS.values.flatten, *CODE_UNITS.values.flat_map(&:keys), :leading_comments, :trailing_comments].each do |name|
        define_method(name) { value(name) }
      end

      def comments = [*leading_comments, *trailing_comments]

      # Takes what the repository found.
      def reify!(values)
        @repository = nil
        @values = values
      end

      private

      def value(name)
        @repository&.reify!
        @values.fetch(name) { raise MissingValueError, "No value for #{name}, make sure the repository has been properly configured" }
      end
    end

    # A comment's text.
    Comment = Struct.new(:slice)
    private_constant :Comment

    # Entries of one source, and what is kept of them.
    class Repository
      class ConfigurationError < StandardError; end

      attr_reader :source, :fields, :entries

      def initialize(source)
        @source = source
        @fields = {}
        @entries = Hash.new { |entries, node| entries[node] = {} }
      end

      def code_units_cache(encoding) = source.code_units_cache(encoding)

      def filepath
        raise ConfigurationError, "Can only specify filepath for a filepath source" unless source.is_a?(SourceFilepath)
        path = source.value
        field(:filepath) { { filepath: path } }
      end

      FIELDS.each do |group, names|
        define_method(group) do
          field(group) { |place| names.to_h { |name| [name, place.public_send(name)] } }
        end
      end

      CODE_UNITS.each do |group, names|
        define_method(group) do |encoding|
          cache = nil
          field(group) do |place|
            cache ||= code_units_cache(encoding)
            names.transform_values { |call| place.public_send(call, cache) }
          end
        end
      end

      %i[leading_comments trailing_comments].each do |name|
        define_method(name) do
          field(name) { |place| { name => place.public_send(name).map { |comment| Comment.new(comment.slice) } } }
        end
      end

      def comments = leading_comments.trailing_comments

      # An entry for a node's place or one of its parts'.
      def enter(node_id, name)
        entry = Entry.new(self)
        @entries[node_id][name] = entry
        entry
      end

      # Finds all that was entered.
      def reify!
        result = source.result
        result.attach_comments! if fields.key?(:leading_comments) || fields.key?(:trailing_comments)
        queue = [result.value]
        while (node = queue.shift)
          @entries.delete(node.node_id)&.each { |name, entry| entry.reify!(values(name == :itself ? node : node.public_send(name))) }
          queue.concat(node.compact_child_nodes)
        end
        @entries.clear
      end

      private

      def values(place) = fields.values.reduce({}) { |all, found| all.merge!(found.call(place)) }

      def field(name, &found)
        raise ConfigurationError, "Cannot specify multiple #{name} fields" if @fields.key?(name)
        @fields[name] = found
        self
      end
    end

    # What is parsed again.
    class Source
      attr_reader :value

      def initialize(value) = @value = value

      def result = raise(NotImplementedError, "Subclasses must implement #result")

      def code_units_cache(encoding) = result.code_units_cache(encoding)
    end

    class SourceFilepath < Source
      def result = Prism.parse_file(value)
    end

    class SourceString < Source
      def result = Prism.parse(value)
    end

    def self.filepath(value) = Repository.new(SourceFilepath.new(value))

    def self.string(value) = Repository.new(SourceString.new(value))
  end
end
