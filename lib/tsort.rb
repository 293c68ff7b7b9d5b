# frozen_string_literal: true

# Topological sorting, and the strongly connected components of graphs (by Tarjan's algorithm).
#
# Whoever includes it says what the nodes are (+tsort_each_node+) and where one leads (+tsort_each_child+).
module TSort
  VERSION = "0.2.0".freeze

  class Cyclic < StandardError
  end

  # All nodes, children first.
  def tsort = TSort.tsort(method(:tsort_each_node), method(:tsort_each_child))

  def tsort_each(&block) = TSort.tsort_each(method(:tsort_each_node), method(:tsort_each_child), &block)

  # Groups of nodes that reach each other, children first.
  def strongly_connected_components
    TSort.strongly_connected_components(method(:tsort_each_node), method(:tsort_each_child))
  end

  def each_strongly_connected_component(&block)
    TSort.each_strongly_connected_component(method(:tsort_each_node), method(:tsort_each_child), &block)
  end

  def each_strongly_connected_component_from(node, id_map = {}, stack = [], &block)
    TSort.each_strongly_connected_component_from(node, method(:tsort_each_child), id_map, stack, &block)
  end

  def tsort_each_node = raise(NotImplementedError.new)

  def tsort_each_child(_node) = raise(NotImplementedError.new)

  class << self
    def tsort(each_node, each_child) = tsort_each(each_node, each_child).to_a

    def tsort_each(each_node, each_child)
      return to_enum(__method__, each_node, each_child) unless block_given?
      each_strongly_connected_component(each_node, each_child) do |component|
        if component.size != 1
          raise Cyclic, "topological sort failed: #{component.inspect}"
        end
        yield component.first
      end
    end

    def strongly_connected_components(each_node, each_child)
      each_strongly_connected_component(each_node, each_child).to_a
    end

    def each_strongly_connected_component(each_node, each_child, &block)
      return to_enum(__method__, each_node, each_child) unless block
      ids = {}
      stack = []
      each_node.call do |node|
        each_strongly_connected_component_from(node, each_child, ids, stack, &block) unless ids.key?(node)
      end
      nil
    end

    # Those reached from +node+. +ids+ numbers the nodes seen, and has nil for those in a component that was yielded.
    def each_strongly_connected_component_from(node, each_child, ids = {}, stack = [], &block)
      return to_enum(__method__, node, each_child, ids, stack) unless block
      lowest = number = ids[node] = ids.size
      bottom = stack.size
      stack << node
      each_child.call(node) do |child|
        if ids.key?(child)
          reached = ids[child]
          lowest = reached if reached && reached < lowest
        else
          reached = each_strongly_connected_component_from(child, each_child, ids, stack, &block)
          lowest = reached if reached < lowest
        end
      end
      if lowest == number
        component = stack.slice!(bottom..)
        component.each { |member| ids[member] = nil }
        yield component
      end
      lowest
    end
  end
end
