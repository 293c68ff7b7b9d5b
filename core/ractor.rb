# Ractor: actors that share nothing but what cannot change, run in parallel, and talk through ports.
#
# What a Ractor gets to see is checked where it starts and where it reads: its block must not reach outer variables, and
# whatever is sent is shareable, or copied, or moved. A copy is made by the sender and belongs to the receiver.
#
# Native primitives:
#   ractor_start(class, name, place, args, block)  starts a Ractor; the arguments are its own already
#   ractor_current, ractor_main, ractor_is_main, ractor_count, ractor_locals  of the running Ractor, or of all
#   ractor_number(r), ractor_name(r), ractor_place(r), ractor_port(r)  what it was made with
#   ractor_outcome(r)              :exited, :aborted, or nil while it lives; ractor_take(r) in an array, what it ended with,
#                                  or nil if another Ractor has a claim on that
#   ractor_monitor(r, port)        false if it has ended, of which the port is then told; ractor_unmonitor(r, port)
#   ractor_port_receive(ports)     waits: index and message, the index alone if the port is closed
#   ractor_port_put(port, m)       false if it is closed
#   ractor_outer_variables(block, may_change)  names of outer variables that it uses, or of those alone that are assigned again;
#                                  ractor_outer_values(block) their values, or nil when it assigns to one;
#                                  ractor_yields(block) whether it uses the method's block
#   ractor_share_proc(block, self, lambda) a shareable copy; ractor_become_proc(block, copy) puts it in the block's place
#   ractor_shareable(o)            neither it nor what it refers to can change; ractor_shareable_type(o) native data that
#                                  may be shared once it is frozen
#   ractor_share_plain(o)          freezes strings, arrays and hashes, and makes them shareable; false if something in them must be asked
#   ractor_is_immediate(o)         shareable whatever it refers to
#   ractor_parts(o)                values of its fields and both ends of a range
#   ractor_has_native_state(o)     native data or a Proc: no copy can be made of it unless its class knows how
#   ractor_become_moved(o)         leaves a Ractor::MovedObject
#   ractor_note_message(copies, moved)  for the loupe: copies by what they are copies of, nil for a message that is shared
class Ractor
  # Starts a Ractor that runs the block with copies of the arguments. Its value is what the block returns.
  #   Ractor.new(1, 2) { |a, b| a + b }.value #=> 3
  def self.new(*args, name: nil, &block)
    raise ArgumentError, "must be called with a block" unless block
    Core.ractor_warn
    unless name.nil?
      name = Primitive.to_str(name)
      raise ArgumentError, "ASCII incompatible encoding (#{name.encoding})" unless name.encoding.ascii_compatible?
    end
    Core.ractor_isolate(block)
    args = args.map { |arg| Core.ractor_message(arg, false) }
    Core.ractor_prepend_require unless Primitive.ractor_was_started
    Primitive.ractor_start(self, name.nil? ? nil : -name, -block.source_location.join(":"), args, block)
  end

  # Returns the Ractor that runs this code.
  def self.current = Primitive.ractor_current

  # Returns the Ractor that the program began in.
  def self.main = Primitive.ractor_main

  # Returns whether the main Ractor runs this code.
  def self.main? = Primitive.ractor_is_main

  # Returns the number of Ractors that have not ended.
  def self.count = Primitive.ractor_count

  # Waits for a message to the running Ractor.
  def self.receive = Primitive.ractor_current.default_port.receive

  # Loads a feature, in the main Ractor.
  def self._require(feature)
    Primitive.ractor_is_main ? Kernel.require(feature) : Primitive.ractor_require(Core.ractor_message(feature, false))
  end

  class << self
    alias recv receive
  end

  # Waits for the first message to one of the ports, or the first of the Ractors to end; returns it and the value.
  #   port = Ractor::Port.new; port << 1; Ractor.select(port) #=> [port, 1]
  def self.select(*sources)
    raise ArgumentError, "specify at least one Ractor::Port or Ractor" if sources.empty?
    ports = sources.map { |source| Core.ractor_source(source) }
    index, message = Core.ractor_receive(ports)
    source = sources[index]
    [source, Primitive.kind_of(source, Ractor) ? source.value : message]
  ensure
    ports&.each_with_index do |port, i|
      next if Primitive.same(port, sources[i])
      sources[i].unmonitor(port)
      port.close
    end
  end

  # Returns a variable of the running Ractor.
  def self.[](name) = Primitive.ractor_locals[Core.ractor_local_name(name)]

  # Sets a variable of the running Ractor.
  def self.[]=(name, value)
    Primitive.ractor_locals[Core.ractor_local_name(name)] = value
  end

  # Returns a variable of the running Ractor, set by the block if it was not set before. Other threads wait meanwhile.
  #   Ractor.store_if_absent(:a) { 1 } #=> 1
  def self.store_if_absent(name)
    locals = Primitive.ractor_locals
    name = Core.ractor_local_name(name)
    return locals[name] if locals.key?(name)
    lock = locals[nil] ||= Thread::Mutex.new
    return locals[name] = yield(nil) if lock.owned?
    lock.synchronize { locals.key?(name) ? locals[name] : locals[name] = yield(nil) }
  end

  # Returns whether Ractors may share the object: neither it nor what it refers to can change.
  #   Ractor.shareable?([1].freeze) #=> true
  def self.shareable?(object) = Primitive.ractor_shareable(object)

  # Freezes the object, or with +copy+ a copy of it, and all that it refers to.
  #   Ractor.make_shareable([+"a"]).first.frozen? #=> true
  def self.make_shareable(object, copy: false)
    return object if Primitive.ractor_shareable(object)
    object = Core.ractor_copy(object, {}.compare_by_identity, false) if copy
    return object if Primitive.ractor_share_plain(object)
    object = Core.ractor_freeze(object, {}.compare_by_identity)
    Primitive.ractor_shareable(object)
    object
  end

  # Returns a shareable copy of the block, whose self is +self+ or nil.
  def self.shareable_proc(**options, &block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Core.ractor_shareable_proc(block, Core.ractor_self_option(options), block.lambda?)
  end

  # Returns the block as a shareable lambda.
  def self.shareable_lambda(**options, &block)
    raise ArgumentError, "tried to create Proc object without a block" unless block
    Core.ractor_shareable_proc(block, Core.ractor_self_option(options), true)
  end

  # Returns the name that was given to Ractor.new, or nil.
  def name = Primitive.ractor_name(self)

  # Returns the port to which +send+ goes.
  def default_port = Primitive.ractor_port(self)

  # Sends a message: itself if it is shareable, otherwise a copy. With +move+ the sender gives it up.
  def send(message, move: false)
    default_port.send(message, move: move)
    self
  end
  alias << send

  # Waits until the Ractor has ended; raises RemoteError if an exception ended it.
  def join
    port = Ractor::Port.new
    monitor(port)
    value = Core.ractor_value(self) if port.receive == :aborted
    self
  ensure
    port&.close
  end

  # Waits until the Ractor has ended and returns its value. Only one Ractor can take it.
  #   Ractor.new { 6 * 7 }.value #=> 42
  def value
    join
    Core.ractor_value(self)
  end

  # Has +port+ told how the Ractor ends: :exited or :aborted. Returns false if it has ended already.
  def monitor(port) = Primitive.ractor_monitor(self, port)

  # Has +port+ not told any more.
  def unmonitor(port)
    Primitive.ractor_unmonitor(self, port)
    self
  end

  # Closes the default port.
  def close = default_port.close

  # Returns a variable of the running Ractor.
  def [](name)
    raise "Cannot get ractor local storage for non-current ractor" unless Primitive.same(self, Ractor.current)
    Ractor[name]
  end

  # Sets a variable of the running Ractor.
  def []=(name, value)
    raise "Cannot set ractor local storage for non-current ractor" unless Primitive.same(self, Ractor.current)
    Ractor[name] = value
  end

  # Describes the Ractor.
  def inspect
    status = Primitive.ractor_outcome(self) ? "terminated" : (Primitive.same(self, Ractor.current) ? "running" : "blocking")
    ["#<Ractor:##{Primitive.ractor_number(self)}", name, Primitive.ractor_place(self), "#{status}>"].compact.join(" ")
  end
  alias to_s inspect

  def receive = default_port.receive
  alias recv receive
  private :receive, :recv

  # Where messages wait for the Ractor that made it.
  class Port
    # Makes it a port of the running Ractor.
    def initialize = Primitive.ractor_port_initialize(self)

    # Sends a message: itself if it is shareable, otherwise a copy. With +move+ the sender gives it up.
    def send(message, move: false)
      raise Ractor::ClosedError, "The port was already closed" if closed?
      unless Primitive.ractor_port_put(self, Core.ractor_message(message, move))
        raise Ractor::ClosedError, "The port was already closed"
      end
      self
    end
    alias << send

    # Waits for a message.
    def receive = Core.ractor_receive([self])[1]

    # Refuses further messages.
    def close
      unless Primitive.ractor_port_is_own(self)
        raise Ractor::Error, "closing port by other ractors is not allowed"
      end
      Primitive.ractor_port_close(self)
      self
    end

    # Returns whether messages are refused.
    def closed? = Primitive.ractor_port_is_closed(self)

    # Describes the port.
    def inspect
      "#<Ractor::Port to:##{Primitive.ractor_number(Primitive.ractor_port_owner(self))} id:#{Primitive.ractor_port_number(self)}>"
    end
  end

  # What is left of an object that was moved to another Ractor.
  class MovedObject
    def method_missing(*)
      ::Kernel.raise ::Ractor::MovedError, "can not send any methods to a moved object"
    end

    alias == method_missing
    alias ! method_missing
    alias != method_missing
    alias __send__ method_missing
    alias __id__ method_missing
    alias instance_eval method_missing
    alias instance_exec method_missing
    alias equal? method_missing
  end

  # Raised where the value of a Ractor is wanted that an exception ended; that exception is the cause.
  class RemoteError
    # The Ractor that raised.
    attr_reader :ractor
  end
end

module Core
  def self.ractor_warn
    return if Primitive.ractor_was_started
    Kernel.warn("Ractor API is experimental and may change in future versions of Ruby.", uplevel: 0, category: :experimental)
  end

  # A library may have put a +require+ of its own over the first one: it runs in the main Ractor, where its state is.
  def self.ractor_prepend_require
    Kernel.prepend(Module.new do
      set_temporary_name("<RactorRequire>")

      def require(feature) = Primitive.ractor_is_main ? super : Ractor._require(feature)
      private :require
    end)
  end

  # Refuses a block that reaches variables around it.
  def self.ractor_isolate(block)
    names = Primitive.ractor_outer_variables(block, false)
    unless names.empty?
      raise ArgumentError, "can not isolate a Proc because it accesses outer variables (#{names.join(", ")})."
    end
    raise ArgumentError, "can not isolate a Proc because it uses 'yield'." if Primitive.ractor_yields(block)
  end

  # A handler that the main Ractor can call: what must not be shared is copied, and a block sees nothing around it.
  def self.ractor_handler(handler)
    return handler if Primitive.ractor_shareable(handler)
    return ractor_message(handler, false) unless Primitive.kind_of(handler, Proc)
    ractor_isolate(handler)
    ractor_shareable_proc(handler, handler.binding.receiver, handler.lambda?)
  end

  def self.ractor_local_name(name)
    return name if Primitive.kind_of(name, Symbol)
    Primitive.kind_of(name, String) ? name.to_sym : raise(TypeError, "#{name.inspect} is not a symbol nor a string")
  end

  # What a Ractor ended with, for whoever has the claim.
  def self.ractor_value(ractor)
    taken = Primitive.ractor_take(ractor)
    raise Ractor::Error, "Only the successor ractor can take a value" unless taken
    raise Core.ractor_remote_error(ractor, taken[0]) if Primitive.ractor_outcome(ractor) == :aborted
    taken[0]
  end

  def self.ractor_remote_error(ractor, cause)
    error = Ractor::RemoteError.new("thrown by remote Ractor.")
    error.instance_variable_set(:@ractor, ractor)
    Primitive.field_set(error, :__cause, cause)
    error
  end

  # The port that tells of a source of Ractor.select.
  def self.ractor_source(source)
    return source if Primitive.kind_of(source, Ractor::Port)
    raise ArgumentError, "should be Ractor::Port or Ractor" unless Primitive.kind_of(source, Ractor)
    port = Ractor::Port.new
    source.monitor(port)
    port
  end

  # Waits for a message in one of the ports: its index and the message.
  def self.ractor_receive(ports)
    unless ports.all? { |port| Primitive.ractor_port_is_own(port) }
      raise Ractor::Error, "only allowed from the creator Ractor of this port"
    end
    found = Primitive.ractor_port_receive(ports)
    raise Ractor::ClosedError, "The port was already closed" if found.size == 1
    found
  end

  # What the receiver gets of a message.
  def self.ractor_message(object, move)
    if Primitive.ractor_shareable(object)
      Primitive.ractor_note_message(nil, false)
      return object
    end
    seen = {}.compare_by_identity
    copy = ractor_copy(object, seen, move)
    Primitive.ractor_note_message(seen, move)
    seen.each_key { |moved| Primitive.ractor_become_moved(moved) } if move
    copy
  end

  # What an object refers to besides its fields and parts.
  def self.ractor_contents(object)
    case object
    when Array then object
    when Hash then object.to_a.flatten(1) << object.default << object.default_proc
    when Set then object.to_a
    else []
    end
  end

  def self.ractor_freeze(object, seen)
    return object if Primitive.ractor_shareable(object) || seen.key?(object)
    seen[object] = true
    return ractor_freeze_proc(object) if Primitive.kind_of(object, Proc)
    if ractor_never_shareable(object)
      raise Ractor::Error, "can not make shareable object for #{object.inspect}"
    end
    ractor_check_method(object) if Primitive.kind_of(object, Method) || Primitive.kind_of(object, UnboundMethod)
    object.freeze
    raise Ractor::Error, "#freeze does not freeze object correctly" unless Primitive.ractor_is_frozen(object)
    ractor_contents(object).each { |part| ractor_freeze(part, seen) }
    Primitive.ractor_parts(object).each { |part| ractor_freeze(part, seen) }
    object
  end

  # What goes on from where it stopped cannot be frozen: native data whose class does not say otherwise, and enumerators.
  def self.ractor_never_shareable(object)
    return !Primitive.ractor_shareable_type(object) if Primitive.ractor_has_native_state(object)
    Primitive.kind_of(object, Enumerator) || Primitive.kind_of(object, Enumerator::Generator) || Primitive.kind_of(object, Enumerator::Yielder)
  end

  # The receiver of a method is not made shareable along with it.
  def self.ractor_check_method(object)
    return if Primitive.ractor_shareable(object.clone(freeze: true))
    raise Ractor::Error, "can not make shareable object for #{object.inspect} because it refers unshareable objects"
  end

  # A Proc is made shareable in place only if nothing around it can change.
  def self.ractor_freeze_proc(block)
    case Primitive.ractor_share_symbol_proc(block)
    when true then return block
    when false then raise RuntimeError, "not supported yet"
    end
    unless Primitive.ractor_shareable(block.binding.receiver)
      raise Ractor::IsolationError, "Proc's self is not shareable: #{block.inspect}"
    end
    copy = ractor_shareable_proc(block, block.binding.receiver, block.lambda?)
    Primitive.ractor_become_proc(block, copy)
  end

  # The keyword that cannot be a parameter, as no code could read it.
  def self.ractor_self_option(options)
    unknown = options.keys - [:self]
    return options[:self] if unknown.empty?
    raise ArgumentError, "unknown keyword#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}"
  end

  def self.ractor_shareable_proc(block, receiver, is_lambda)
    unless Primitive.ractor_shareable(receiver)
      raise Ractor::IsolationError, "self should be shareable: #{receiver.inspect}"
    end
    names = Primitive.ractor_outer_variables(block, false)
    values = Primitive.ractor_outer_values(block)
    if values.nil?
      raise ArgumentError, "can not make a Proc shareable because it accesses outer variables (#{names.join(", ")})."
    end
    changing = Primitive.ractor_outer_variables(block, true)
    unless changing.empty?
      raise Ractor::IsolationError, "cannot make a shareable Proc because the outer variable '#{changing[0]}' may be reassigned."
    end
    values.each_with_index do |value, index|
      next if Primitive.ractor_shareable(value)
      raise Ractor::IsolationError, "cannot make a shareable Proc because it can refer unshareable object #{value.inspect} from variable '#{names[index]}'"
    end
    Primitive.ractor_share_proc(block, receiver, is_lambda)
  end

  # A copy that shares nothing with the original but what is shareable. With +move+ it takes the original's place.
  def self.ractor_copy(object, seen, move)
    return object if Primitive.ractor_shareable(object)
    return seen[object] if seen.key?(object)
    copy = seen[object] = ractor_clone(object, move)
    ractor_copy_contents(copy, seen, move)
    ractor_copy_fields(copy, seen, move)
    object.frozen? ? copy.freeze : copy
  end

  def self.ractor_clone(object, move)
    copyable = Primitive.ractor_is_copyable(object)
    movable = copyable && !Primitive.kind_of(object, Thread::Mutex)
    raise Ractor::Error, "can not move #{Primitive.class_of(object)} object." if move && !movable
    raise Ractor::Error, "can not move Thread::Backtrace object." if move && ractor_was_raised(object)
    raise Ractor::Error, "can not copy #{Primitive.class_of(object)} object." if Primitive.kind_of(object, Enumerator)
    begin
      raise TypeError, "allocator undefined for #{Primitive.class_of(object)}" unless copyable
      ractor_copy_of(object)
    rescue StandardError
      raise Ractor::Error, "can't clone unshareable instance of #{Primitive.class_of(object)}"
    end
  end

  # An exception that was raised stays where it is: who rescues it there still needs it.
  def self.ractor_was_raised(object)
    Primitive.kind_of(object, Exception) && !Primitive.field(object, :__bt).nil?
  end

  # A copy of the object alone. Of what is not frozen as `clone` makes it, for classes whose `initialize_clone` takes no keywords.
  def self.ractor_copy_of(object)
    return object.dup if Primitive.kind_of(object, Range)
    object.frozen? ? object.clone(freeze: false) : object.clone
  end

  # Members of structs are fields too, and hidden fields hold what core classes keep.
  def self.ractor_copy_fields(copy, seen, move)
    index = 0
    while index < Primitive.ractor_field_count(copy)
      part = Primitive.ractor_field(copy, index)
      Primitive.ractor_set_field(copy, index, ractor_copy(part, seen, move)) unless Primitive.ractor_shareable(part)
      index += 1
    end
  end

  def self.ractor_copy_contents(copy, seen, move)
    case copy
    when Array then copy.map! { |part| ractor_copy(part, seen, move) }
    when Hash
      pairs = copy.to_a
      copy.clear
      pairs.each { |key, value| copy[ractor_copy(key, seen, move)] = ractor_copy(value, seen, move) }
      copy.default_proc ? ractor_copy(copy.default_proc, seen, move) : copy.default = ractor_copy(copy.default, seen, move)
    when Set
      elements = copy.to_a
      copy.clear
      elements.each { |element| copy.add(ractor_copy(element, seen, move)) }
    when Range then Primitive.ractor_set_pair(copy, ractor_copy(copy.begin, seen, move), ractor_copy(copy.end, seen, move))
    when Rational then Primitive.ractor_set_pair(copy, ractor_copy(copy.numerator, seen, move), ractor_copy(copy.denominator, seen, move))
    when Complex then Primitive.ractor_set_pair(copy, ractor_copy(copy.real, seen, move), ractor_copy(copy.imaginary, seen, move))
    end
  end
end
