# frozen_string_literal: true

require "psych"

module Psych
  module Handlers
    # Keeps events: names with their arguments, which may be sent to another handler.
    class Recorder < Handler
      attr_reader :events

      def initialize
        @events = []
        super
      end

      EVENTS.each { |name| define_method(name) { |*args| @events << [name, args] } }
    end
  end
end
