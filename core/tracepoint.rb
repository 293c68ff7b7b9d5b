# TracePoint: events of the running program.
#
# Native primitives:
#   tracepoint_enable(t, target, line, thread)  whether it was enabled before; tracepoint_disable(t) likewise
#   tracepoint_allow_reentry                    lets a hook's own events be reported; tracepoint_end_reentry undoes it
#   tracepoint_functions                        hash of this Ractor: from threads, or nil, to those behind +set_trace_func+
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

  # Stops the TracePoints behind +set_trace_func+ of a thread (nil: of all) and starts one for a new function, if there is one.
  def self.replace_function(function, thread)
    Primitive.tracepoint_functions.delete(thread)&.each(&:disable)
    add_function(function, thread) if function
  end

  # Starts one more.
  def self.add_function(function, thread)
    raise TypeError, "trace_func needs to be Proc" unless Proc === function
    names = FUNCTION_EVENTS
    point = new(*names.keys) do |event|
      function.call(names[event.event], event.path, event.lineno, event.method_id, event.binding, function_owner(event))
    end
    (Primitive.tracepoint_functions[thread] ||= []) << point
    Primitive.tracepoint_enable(point, nil, nil, thread)
  end

  # The object of a singleton method stands for its class; outside of methods there is neither.
  def self.function_owner(event)
    owner = event.defined_class or return nil
    owner.singleton_class? ? owner.attached_object : owner
  end
  private_class_method :replace_function, :add_function, :function_owner
end

class Thread
  # Starts calling a function for this thread's events.
  def add_trace_func(function)
    TracePoint.__send__(:add_function, function, self)
    function
  end

  # The same instead of the functions that there are; nil stops them.
  def set_trace_func(function)
    raise TypeError, "trace_func needs to be Proc" unless function.nil? || Proc === function
    TracePoint.__send__(:replace_function, function, self)
    function
  end
end

module Kernel
  def set_trace_func(function)
    raise TypeError, "trace_func needs to be Proc" unless function.nil? || Proc === function
    TracePoint.__send__(:replace_function, function, nil)
    function
  end
  module_function :set_trace_func
end
