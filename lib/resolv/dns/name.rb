# frozen_string_literal: true

class Resolv
  class DNS
    # Parts of names.
    module Label
      def self.split(text) = text.scan(/[^.]+/).map { |part| Str.new(part) }

      # A part whose case does not count.
      class Str
        attr_reader :string, :downcase

        def initialize(string)
          @string = string
          @downcase = string.downcase
        end

        def to_s = @string

        def inspect = "#<#{self.class} #{self}>"

        def ==(other) = other.class == self.class && @downcase == other.downcase

        def eql?(other) = self == other

        def hash = @downcase.hash
      end
    end

    # A name: absolute if it ended with a dot.
    class Name
      def self.create(name)
        case name
        when Name then name
        when String then new(Label.split(name), name.end_with?("."))
        else raise ArgumentError, "cannot interpret as DNS name: #{name.inspect}"
        end
      end

      def initialize(labels, absolute = true)
        @labels = labels.map { |label| String === label ? Label::Str.new(label) : label }
        @absolute = absolute
      end

      def inspect = "#<#{self.class}: #{self}#{"." if @absolute}>"

      def absolute? = @absolute

      def ==(other) = Name === other && @labels == other.to_a && @absolute == other.absolute?
      alias eql? ==

      # Whether it stands below +other+.
      def subdomain_of?(other)
        raise ArgumentError, "not a domain name: #{other.inspect}" unless Name === other
        return false if @absolute != other.absolute? || @labels.size <= other.length
        @labels.last(other.length) == other.to_a
      end

      def hash = @labels.hash ^ @absolute.hash

      def to_a = @labels

      def length = @labels.length

      def [](index) = @labels[index]

      def to_s = @labels.join(".")
    end
  end
end
