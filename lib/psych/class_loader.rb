# frozen_string_literal: true

module Psych
  # Finds classes by name.
  class ClassLoader
    def load(name) = Object.const_get(name)

    def symbolize(name) = name.to_sym

    def resolve(name)
      load(name)
    rescue NameError
      raise ArgumentError, "undefined class/module #{name}"
    end

    # The same, for those that are allowed.
    class Restricted < ClassLoader
      def initialize(classes, symbols)
        @classes = classes.map(&:to_s)
        @symbols = symbols.map(&:to_s)
      end

      def load(name)
        raise DisallowedClass.new("load", name) unless @classes.include?(name)
        super
      end

      def symbolize(name)
        return super if @classes.include?("Symbol") && (@symbols.empty? || @symbols.include?(name.to_s))
        raise DisallowedClass.new("load", "Symbol")
      end
    end
  end
end
