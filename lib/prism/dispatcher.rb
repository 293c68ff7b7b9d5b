# frozen_string_literal: true

require "prism/visitor"

module Prism
  # Goes through a tree once for any number of listeners, each of which hears of the nodes that it asked for.
  #   dispatcher.register(listener, :on_call_node_enter, :on_call_node_leave)
  #   dispatcher.dispatch(tree)
  class Dispatcher < Visitor
    attr_reader :listeners

    def initialize
      @listeners = {}
    end

    def register(listener, *events) = events.each { |event| (listeners[event] ||= []) << listener }

    # All of a listener's methods that are named as events.
    def register_public_methods(listener)
      register(listener, *listener.public_methods(false).grep(/\Aon_.+_(?:enter|leave)\z/))
    end

    alias dispatch visit

    # A single node's events, without those of its children.
    def dispatch_once(node)
      tell(:"on_#{node.type}_enter", node)
      tell(:"on_#{node.type}_leave", node)
    end

    NODES.each do |kind|
      enter, leave = :"on_#{kind.type}_enter", :"on_#{kind.type}_leave"
      define_method(:"visit_#{kind.type}") do |node|
        tell(enter, node)
        visit_child_nodes(node)
        tell(leave, node)
      end
    end

    private

    def tell(event, node) = listeners[event]&.each { |listener| listener.public_send(event, node) }
  end
end
