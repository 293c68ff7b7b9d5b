# frozen_string_literal: true

require "prism/compiler"

module Prism
  # Makes a copy of a tree; a subclass returns other nodes where it wants them.
  class MutationCompiler < Compiler
    NODES.each do |kind|
      fields = kind.__fields.select { |_name, letter| "Nna".include?(letter) }
      define_method(:"visit_#{kind.type}") do |node|
        node.copy(**fields.to_h { |name, letter| [name, letter == "a" ? visit_all(node.public_send(name)) : visit(node.public_send(name))] })
      end
    end
  end
end
