# frozen_string_literal: true

module Prism
  # Makes nodes by their names. A field that is not given is empty.
  #   include Prism::DSL
  #   integer_node(value: 1)
  module DSL
    extend self

    def source(string)
      offsets = [0]
      string.each_line { |line| offsets << offsets.last + line.bytesize if line.end_with?("\n") }
      Source.for(string, 1, offsets)
    end

    def location(source: default_source, start_offset: 0, length: 0) = Location.new(source, start_offset, length)

    NODES.each do |kind|
      names = kind.__fields.map(&:first)
      define_method(kind.type) do |source: default_source, node_id: 0, location: default_location, flags: 0, **values|
        unknown = values.keys - names
        raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}" unless unknown.empty?
        fields = kind.__fields.map { |name, letter| values.fetch(name) { default(letter, source, location) } }
        kind.new(source, node_id, location, flags, *fields)
      end
    end

    NODES.filter_map(&:__flags).uniq.each do |group|
      name = group.name.delete_prefix("Prism::")
      define_method(:"#{name.gsub(/(?<=[a-z])(?=[A-Z])/, "_").downcase.delete_suffix("s")}") do |flag|
        constant = flag.to_s.upcase.to_sym
        group.constants.include?(constant) ? group.const_get(constant) : Kernel.raise(ArgumentError, "invalid #{name} flag: #{flag.inspect}")
      end
    end

    private

    def default(letter, source, location)
      case letter
      when "N" then MissingNode.new(source, -1, location, 0)
      when "l" then location
      when "a", "C" then []
      when "c" then :""
      when "s" then ""
      when "i", "u", "b" then 0
      when "f" then 0.0
      end
    end

    def default_source = Source.for("", 1, [0])

    def default_location = Location.new(default_source, 0, 0)
  end
end
