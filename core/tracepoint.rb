# TracePoint: events of the running program.
#
# Native primitives:
#   tracepoint_enable(t, target, line, thread)  whether it was enabled before; tracepoint_disable(t) likewise
#   tracepoint_allow_reentry                    lets a hook's own events be reported; tracepoint_end_reentry undoes it
class TracePoint
  # Starts reporting; with a block only while it runs, and only what its own thread does.
  def enable(target: nil, target_line: nil, target_thread: (is_default = true; nil))
    target_thread = Thread.current if is_default && block_given? && target.nil? && target_line.nil?
    before = Primitive.tracepoint_enable(self, target, target_line, target_thread)
    return before unless block_given?
    begin
      yield
    ensure
      Primitive.tracepoint_disable(self) unless before
    end
  end

  # Stops reporting; with a block only while it runs.
  def disable
    return Primitive.tracepoint_disable(self) unless block_given?
    raise ArgumentError, "can't disable a targeting TracePoint in a block" if Primitive.tracepoint_targets(self)
    before = Primitive.tracepoint_disable(self)
    begin
      yield
    ensure
      Primitive.tracepoint_enable(self, nil, nil, nil) if before
    end
  end

  def self.trace(*events, &block)
    point = new(*events, &block)
    point.enable
    point
  end

  def self.allow_reentry
    raise ArgumentError, "no block given" unless block_given?
    Primitive.tracepoint_allow_reentry
    begin
      yield
    ensure
      Primitive.tracepoint_end_reentry
    end
  end

  def self.stat = {}

  FUNCTION_EVENTS = {
    line: "line", class: "class", end: "end", call: "call", return: "return", c_call: "c-call", c_return: "c-return",
    raise: "raise",
  }.freeze
  private_constant :FUNCTION_EVENTS

  # The TracePoint behind +set_trace_func+; nil: none.
  def self.call_function(function)
    @__function&.disable
    @__function = nil
    return unless function
    names = FUNCTION_EVENTS
    @__function = trace(*names.keys) do |point|
      function.call(names[point.event], point.path, point.lineno, point.method_id, point.binding, point.defined_class || false)
    end
  end
  private_class_method :call_function
end

module Kernel
  def set_trace_func(function)
    raise TypeError, "trace_func needs to be Proc" unless function.nil? || Proc === function
    TracePoint.__send__(:call_function, function)
    function
  end
  module_function :set_trace_func
end
