# Ractor: actors that share nothing but what cannot change, and talk through ports.
#
# A Ractor runs its block in a thread of its own. What it gets to see is checked here: its block must not reach outer
# variables, and whatever is sent is shareable, or copied.
#
# Hidden fields (@__name):
#   Ractor: thread, port (the default one), name, number, locals, monitors, outcome (:exited, :aborted or nil), successor
#   Ractor::Port: owner, queue, number, closed;  Thread: ractor
#
# Native primitives:
#   ractor_outer_variables(block)  names of outer variables that it uses; ractor_outer_values(block) their values, or nil
#                                  when it assigns to one
#   ractor_is_immediate(o)         shareable whatever it refers to
#   ractor_parts(o)                values of its fields, hidden ones included, and both ends of a range
#   ractor_has_native_state(o)     native data or a Proc: no copy can be made of it
class Ractor
  # Starts a Ractor that runs the block with copies of the arguments. Its value is what the block returns.
  #   Ractor.new(1, 2) { |a, b| a + b }.value #=> 3
  def self.new(*args, name: nil, &block)
    raise ArgumentError, "must be called with a block" unless block
    unless name.nil?
      name = Primitive.to_str(name)
      raise ArgumentError, "ASCII incompatible encoding (#{name.encoding})" unless name.encoding.ascii_compatible?
    end
    Primitive.ractor_isolate(block)
    Primitive.ractor_warn
    ractor = Primitive.ractor_make(self, name)
    args = args.map { |arg| Primitive.ractor_message(arg, false) }
    Primitive.ractor_start(ractor, args, block)
    ractor
  end

  # Returns the Ractor that runs this code.
  def self.current = Primitive.field(Thread.current, :ractor) || Primitive.ractor_main

  # Returns the Ractor that the program began in.
  def self.main = Primitive.ractor_main

  # Returns whether the main Ractor runs this code.
  def self.main? = Primitive.same(current, main)

  # Returns the number of Ractors that have not ended.
  def self.count = 1 + Primitive.ractor_living.size

  # Waits for a message to the running Ractor.
  def self.receive = current.default_port.receive

  class << self
    alias recv receive
  end

  # Waits for the first message to one of the ports, or the first of the Ractors to end; returns it and the value.
  #   port = Ractor::Port.new; port << 1; Ractor.select(port) #=> [port, 1]
  def self.select(*sources)
    raise ArgumentError, "specify at least one Ractor or Port" if sources.empty?
    ready = Primitive.ractor_wait { sources.find { |source| Primitive.ractor_ready?(source) } }
    [ready, Primitive.kind_of(ready, Ractor) ? ready.value : ready.receive]
  end

  # Returns a variable of the running Ractor.
  def self.[](name) = current[name]

  # Sets a variable of the running Ractor.
  def self.[]=(name, value)
    current[name] = value
  end

  # Returns a variable of the running Ractor, set by the block if it was not set before.
  #   Ractor.store_if_absent(:a) { 1 } #=> 1
  def self.store_if_absent(name)
    locals = Primitive.field(current, :locals)
    name = name.to_sym
    return locals[name] if locals.key?(name)
    locals[name] = yield(nil)
  end

  # Returns whether Ractors may share the object: neither it nor what it refers to can change.
  #   Ractor.shareable?([1].freeze) #=> true
  def self.shareable?(object) = Primitive.ractor_shareable(object, {}.compare_by_identity)

  # Freezes the object, or with +copy+ a copy of it, and all that it refers to.
  #   Ractor.make_shareable([+"a"]).first.frozen? #=> true
  def self.make_shareable(object, copy: false)
    object = Primitive.ractor_copy(object, {}.compare_by_identity) if copy
    Primitive.ractor_freeze(object, {}.compare_by_identity)
  end

  # Returns a shareable copy of the block, whose self is +self+ or nil.
  def self.shareable_proc(self: nil, &block)
    raise ArgumentError, "must be called with a block" unless block
    Primitive.ractor_share_proc(block)
  end

  # Returns the block as a shareable lambda.
  def self.shareable_lambda(self: nil, &block)
    raise ArgumentError, "must be called with a block" unless block
    Primitive.ractor_share_proc(lambda(&block))
  end

  # Returns the name that was given to Ractor.new, or nil.
  def name = @__name

  # Returns the port to which +send+ goes.
  def default_port = @__port

  # Sends a message: itself if it is shareable, otherwise a copy. With +move+ the sender gives it up.
  def send(message, move: false)
    default_port.send(message, move: move)
    self
  end
  alias << send

  # Waits until the Ractor has ended; raises RemoteError if an exception ended it.
  def join
    Primitive.ractor_wait { @__outcome }
    raise Primitive.ractor_remote_error(self) if @__outcome == :aborted
    self
  end

  # Waits until the Ractor has ended and returns its value. Only one Ractor can take it.
  #   Ractor.new { 6 * 7 }.value #=> 42
  def value
    Primitive.ractor_wait { @__outcome }
    current = Ractor.current
    @__successor ||= current
    raise Ractor::Error, "Only the successor ractor can take a value" unless Primitive.same(@__successor, current)
    raise Primitive.ractor_remote_error(self) if @__outcome == :aborted
    @__thread.value
  end

  # Has +port+ told how the Ractor ends: :exited or :aborted. Returns false if it has ended already.
  def monitor(port)
    if @__outcome
      port << @__outcome
      return false
    end
    @__monitors << port
    true
  end

  # Has +port+ not told any more.
  def unmonitor(port)
    @__monitors.delete(port)
    self
  end

  # Closes the default port.
  def close
    default_port.close
  end

  # Returns a variable of the running Ractor.
  def [](name)
    raise "Cannot get ractor local storage for non-current ractor" unless Primitive.same(self, Ractor.current)
    @__locals[name.to_sym]
  end

  # Sets a variable of the running Ractor.
  def []=(name, value)
    raise "Cannot set ractor local storage for non-current ractor" unless Primitive.same(self, Ractor.current)
    @__locals[name.to_sym] = value
  end

  # Describes the Ractor.
  def inspect
    status = @__outcome ? "terminated" : (@__thread.nil? || @__thread.status == "run" ? "running" : "blocking")
    ["#<Ractor:##{@__number}", @__place, @__name, "#{status}>"].compact.join(" ")
  end
  alias to_s inspect

  # Where messages wait for the Ractor that made it.
  class Port
    # Makes a port of the running Ractor.
    def initialize
      Primitive.ractor_port_fill(self, Ractor.current)
    end

    # Sends a message: itself if it is shareable, otherwise a copy.
    def send(message, move: false)
      raise Ractor::ClosedError, "The port was already closed" if closed?
      @__queue << Primitive.ractor_message(message, move)
      Primitive.ractor_changed
      self
    end
    alias << send

    # Waits for a message.
    def receive
      unless Primitive.same(@__owner, Ractor.current)
        raise Ractor::Error, "only allowed from the creator Ractor of this port"
      end
      Primitive.ractor_wait { !@__queue.empty? || closed? }
      raise Ractor::ClosedError, "The port was already closed" if @__queue.empty?
      @__queue.shift
    end

    # Refuses further messages.
    def close
      unless Primitive.same(@__owner, Ractor.current)
        raise Ractor::Error, "closing port by other ractors is not allowed"
      end
      was = closed?
      @__closed = true
      Primitive.ractor_changed
      was
    end

    # Returns whether messages are refused.
    def closed? = @__closed || !Primitive.field(@__owner, :outcome).nil?

    # Describes the port.
    def inspect = "#<Ractor::Port to:##{Primitive.field(@__owner, :number)} id:#{@__number}>"
  end

  # Raised where the value of a Ractor is wanted that an exception ended; that exception is the cause.
  class RemoteError
    # The Ractor that raised.
    attr_reader :ractor
  end
end

module Primitive
  # The main Ractor's object, made when somebody asks for it.
  def self.ractor_main = @main_ractor ||= ractor_make(Ractor, nil, 1)

  # Ractors that have been started and have not ended.
  def self.ractor_living = @living_ractors ||= []

  def self.ractor_make(klass, name, number = nil)
    number ||= @last_ractor = (@last_ractor || 1) + 1
    ractor = Primitive.alloc(klass)
    Primitive.field_set(ractor, :number, number)
    Primitive.field_set(ractor, :name, name)
    Primitive.field_set(ractor, :locals, {})
    Primitive.field_set(ractor, :monitors, [])
    port = Primitive.alloc(Ractor::Port)
    Primitive.ractor_port_fill(port, ractor)
    Primitive.field_set(ractor, :port, port)
    ractor
  end

  def self.ractor_port_fill(port, owner)
    @next_port = (@next_port || 0) + 1
    Primitive.field_set(port, :owner, owner)
    Primitive.field_set(port, :queue, [])
    Primitive.field_set(port, :number, @next_port)
    Primitive.field_set(port, :closed, false)
  end

  def self.ractor_warn
    return if @ractor_warned
    @ractor_warned = true
    return unless Warning[:experimental]
    Primitive.warn("Ractor API is experimental and the behavior may change in future versions of Ruby! " \
      "Also there are many implementation issues.")
  end

  # Refuses a block that reaches variables around it.
  def self.ractor_isolate(block)
    names = Primitive.ractor_outer_variables(block)
    return if names.empty?
    raise Ractor::IsolationError, "can not isolate a Proc because it accesses outer variables (#{names.join(", ")})."
  end

  def self.ractor_start(ractor, args, block)
    path, line = block.source_location
    Primitive.field_set(ractor, :place, "#{path}:#{line}")
    ractor_living << ractor
    thread = Thread.new do
      Primitive.field_set(Thread.current, :ractor, ractor)
      outcome = :aborted
      result = ractor.instance_exec(*args, &block)
      outcome = :exited
      result
    ensure
      Primitive.ractor_end(ractor, outcome)
    end
    Primitive.field_set(ractor, :thread, thread)
  end

  def self.ractor_end(ractor, outcome)
    Primitive.field_set(ractor, :error, $!)
    Primitive.field_set(ractor, :outcome, outcome)
    ractor_living.delete(ractor)
    Primitive.field(ractor, :monitors).each { |port| port << outcome unless port.closed? }
    ractor_changed
  end

  def self.ractor_remote_error(ractor)
    error = Ractor::RemoteError.new("thrown by remote Ractor.")
    error.instance_variable_set(:@ractor, ractor)
    Primitive.field_set(error, :cause, Primitive.field(ractor, :error))
    error
  end

  # Everybody who waits looks again.
  def self.ractor_changed
    waiting = @ractor_waiting or return
    @ractor_waiting = []
    waiting.each { |queue| queue << true }
  end

  # Waits until the block's value is true and returns it. The block is asked again whenever a message was sent, a port
  # closed, or a Ractor ended: entering the list comes first, so that no change is missed.
  def self.ractor_wait
    loop do
      ticket = Thread::Queue.new
      (@ractor_waiting ||= []) << ticket
      result = yield
      return result if result
      ticket.pop
    end
  end

  # Whether Ractor.select need not wait for a Ractor or port.
  def self.ractor_ready?(source)
    case source
    when Ractor then Primitive.field(source, :outcome)
    when Ractor::Port then !Primitive.field(source, :queue).empty?
    else raise ArgumentError, "should be Ractor or Port"
    end
  end

  # What the receiver gets of a message.
  def self.ractor_message(object, _move) = ractor_copy(object, {}.compare_by_identity)

  def self.ractor_shareable(object, seen)
    return true if Primitive.ractor_is_immediate(object) || seen.key?(object)
    return true if Primitive.kind_of(object, Ractor) || Primitive.kind_of(object, Ractor::Port)
    return false unless object.frozen?
    seen[object] = true
    return !!Primitive.field(object, :shareable) if Primitive.ractor_has_native_state(object) && !Primitive.kind_of(object, Set)
    return false unless ractor_contents(object).all? { |part| ractor_shareable(part, seen) }
    Primitive.ractor_parts(object).all? { |part| ractor_shareable(part, seen) }
  end

  # What an object refers to besides its fields.
  def self.ractor_contents(object)
    case object
    when Array then object
    when Hash then object.to_a.flatten(1) << object.default << object.default_proc
    when Struct, Set then object.to_a
    when Data then object.to_h.values
    else []
    end
  end

  def self.ractor_freeze(object, seen)
    return object if Primitive.ractor_is_immediate(object) || seen.key?(object)
    return object if Primitive.kind_of(object, Ractor) || Primitive.kind_of(object, Ractor::Port)
    seen[object] = true
    return ractor_share_proc(object) if Primitive.kind_of(object, Proc)
    if Primitive.kind_of(object, Thread) || Primitive.kind_of(object, IO)
      raise Ractor::Error, "can not make shareable object for #{object.inspect}"
    end
    object.freeze
    ractor_contents(object).each { |part| ractor_freeze(part, seen) }
    Primitive.ractor_parts(object).each { |part| ractor_freeze(part, seen) }
    Primitive.field_set(object, :shareable, true) if Primitive.ractor_has_native_state(object)
    object
  end

  def self.ractor_share_proc(block)
    values = Primitive.ractor_outer_values(block)
    if values.nil?
      names = Primitive.ractor_outer_variables(block)
      raise Ractor::IsolationError, "can not make a Proc shareable because it accesses outer variables (#{names.join(", ")})."
    end
    values.each_with_index do |value, index|
      next if Ractor.shareable?(value)
      name = Primitive.ractor_outer_variables(block)[index]
      raise Ractor::IsolationError, "can not make shareable Proc because it can refer unshareable object #{value.inspect} from variable '#{name}'"
    end
    Primitive.field_set(block, :shareable, true)
    block.freeze
  end

  # A copy that shares nothing with the original but what is shareable.
  def self.ractor_copy(object, seen)
    return object if ractor_shareable(object, {}.compare_by_identity)
    return seen[object] if seen.key?(object)
    if Primitive.ractor_has_native_state(object) && !Primitive.kind_of(object, Set)
      raise TypeError, "allocator undefined for #{Primitive.class_of(object)}"
    end
    was_frozen = object.frozen?
    copy = seen[object] = object.clone(freeze: false)
    ractor_copy_contents(copy, seen)
    copy.instance_variables.each { |name| copy.instance_variable_set(name, ractor_copy(copy.instance_variable_get(name), seen)) }
    was_frozen ? copy.freeze : copy
  end

  def self.ractor_copy_contents(copy, seen)
    case copy
    when Array then copy.map! { |part| ractor_copy(part, seen) }
    when Hash
      pairs = copy.to_a
      copy.clear
      pairs.each { |key, value| copy[ractor_copy(key, seen)] = ractor_copy(value, seen) }
    when Struct then copy.each_pair.to_a.each { |name, value| copy[name] = ractor_copy(value, seen) }
    when Set
      parts = copy.to_a
      copy.clear
      parts.each { |part| copy << ractor_copy(part, seen) }
    end
  end
end
