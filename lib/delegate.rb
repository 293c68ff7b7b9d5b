# Objects that pass on to another one whatever they do not know themselves.

# Passes method calls on to the object that __getobj__ returns, which subclasses define together with __setobj__.
class Delegator < BasicObject
  VERSION = "0.6.1".freeze

  # The methods of Kernel that a delegator has itself; the others are the object's.
  kernel = ::Kernel.dup
  kernel.class_eval do
    alias_method :__raise__, :raise
    %i[to_s =~ !~ === <=> hash inspect].each { |name| undef_method(name) if method_defined?(name) }
    private_instance_methods.each do |name|
      # Whatever looks at its caller stays.
      next if %i[binding __method__ __callee__ block_given? caller caller_locations eval iterator? lambda local_variables proc
                 raise __raise__ fail respond_to_missing? warn initialize_clone initialize_copy initialize_dup
                 require require_relative load autoload autoload? catch throw loop __dir__ DelegateClass].include?(name)
      undef_method(name)
    end
  end
  include kernel

  # Constants are looked up as in any other class.
  def self.const_missing(name) = ::Object.const_get(name)

  def initialize(obj)
    __setobj__(obj)
  end

  # What the object or, in private, Kernel knows.
  ruby2_keywords def method_missing(name, *args, &block)
    target = self.__getobj__ { nil }
    is_nil = ::NilClass === target
    if !is_nil && __responds?(target, name) || is_nil && nil.respond_to?(name) && __delegates_nil?
      target.__send__(name, *args, &block)
    elsif ::Kernel.method_defined?(name) || ::Kernel.private_method_defined?(name)
      ::Kernel.instance_method(name).bind_call(self, *args, &block)
    else
      super
    end
  end

  # Whether nil is what is delegated to, rather than there being nothing.
  def __delegates_nil?
    missing = false
    self.__getobj__ { missing = true }
    !missing
  end
  private :__delegates_nil?

  # A BasicObject has no respond_to?.
  def __responds?(target, name)
    return target.respond_to?(name) if ::Kernel === target
    ::Kernel.instance_method(:respond_to?).bind_call(target, name)
  end
  private :__responds?

  def respond_to_missing?(name, include_private)
    known = true
    target = self.__getobj__ { known = false }
    return false unless known
    found = target.respond_to?(name, include_private)
    if found && include_private && !target.respond_to?(name, false)
      ::Kernel.warn "delegator does not forward private method ##{name}", uplevel: 3
      return false
    end
    found
  end

  # Subclasses get a "!" method only through these.
  def ==(other) = other.equal?(self) || self.__getobj__ == other

  def !=(other) = !other.equal?(self) && self.__getobj__ != other

  def eql?(other) = other.equal?(self) || self.__getobj__.eql?(other) || (::Delegator === other && self.__getobj__.eql?(other.__getobj__))

  def ! = !self.__getobj__

  def methods(all = true) = __getobj__.methods(all) | super

  def public_methods(all = true) = __getobj__.public_methods(all) | super

  def protected_methods(all = true) = __getobj__.protected_methods(all) | super

  def __getobj__
    ::Kernel.raise ::NotImplementedError, "need to define '__getobj__'"
  end

  def __setobj__(_obj)
    ::Kernel.raise ::NotImplementedError, "need to define '__setobj__'"
  end

  # The instance variables but the delegate, and the delegate.
  def marshal_dump
    names = instance_variables.reject { |name| name.match?(/\A@delegate_/) }
    [:__v2__, names, names.map { |name| instance_variable_get(name) }, __getobj__]
  end

  def marshal_load(data)
    version, names, values, obj = data
    if version == :__v2__
      names.each_with_index { |name, i| instance_variable_set(name, values[i]) }
      __setobj__(obj)
    else
      __setobj__(data)
    end
  end

  def initialize_clone(obj, freeze: nil)
    self.__setobj__(obj.__getobj__.clone(freeze: freeze))
  end

  def initialize_dup(obj)
    self.__setobj__(obj.__getobj__.dup)
  end
  private :initialize_clone, :initialize_dup

  # Freezes the delegator and the object.
  def freeze
    __getobj__.freeze
    ::Kernel.instance_method(:freeze).bind_call(self)
  end

  def frozen? = ::Kernel.instance_method(:frozen?).bind_call(self)

  @public_api = public_instance_methods

  class << self
    # What every delegator has itself.
    attr_reader :public_api

    # Methods that DelegateClass gives its classes where their names cannot be written behind "def" and a dot.
    def delegating_block(mid)
      lambda { |*args, &block| __getobj__.__send__(mid, *args, &block) }.ruby2_keywords
    end

    private

    # Gives the class methods that pass on to the delegate what they get; protected ones go past its visibility.
    def define_forwarding(klass, names, are_protected)
      plain, odd = names.partition { |name| name.match?(/\A[a-z]\w*[?!]?\z/i) }
      odd.each { |name| klass.define_method(name, delegating_block(name)) }
      calls = plain.map { |name| [name, are_protected ? "__send__(:#{name}, ...)" : "#{name}(...)"] }
      klass.class_eval(calls.map { |name, call| "def #{name}(...) = __getobj__.#{call}" }.join(";"), __FILE__, __LINE__)
      klass.__send__(:protected, names) if are_protected
    end
  end
end

# A delegator whose object can be replaced.
class SimpleDelegator < Delegator
  def __getobj__
    unless defined?(@delegate_sd_obj)
      return yield if block_given?
      ::Kernel.raise ::ArgumentError, "not delegated"
    end
    @delegate_sd_obj
  end

  def __setobj__(obj)
    ::Kernel.raise ::ArgumentError, "cannot delegate to self" if equal?(obj)
    @delegate_sd_obj = obj
  end
end

# Returns a class whose instances pass on the public and protected instance methods of +superclass+; the block is the
# class's body.
def DelegateClass(superclass, &block)
  klass = Class.new(Delegator)
  # What a delegator does itself, and what goes through method_missing.
  ignored = Delegator.public_instance_methods + %i[to_s =~ !~ ===]
  protected_names = superclass.protected_instance_methods - ignored
  public_names = superclass.public_instance_methods - ignored
  klass.class_eval do
    def __getobj__
      unless defined?(@delegate_dc_obj)
        return yield if block_given?
        ::Kernel.raise ::ArgumentError, "not delegated"
      end
      @delegate_dc_obj
    end

    def __setobj__(obj)
      ::Kernel.raise ::ArgumentError, "cannot delegate to self" if equal?(obj)
      @delegate_dc_obj = obj
    end
  end
  Delegator.__send__(:define_forwarding, klass, protected_names, true)
  Delegator.__send__(:define_forwarding, klass, public_names, false)
  klass.define_singleton_method(:public_instance_methods) { |all = true| super(all) | superclass.public_instance_methods }
  klass.define_singleton_method(:protected_instance_methods) { |all = true| super(all) | superclass.protected_instance_methods }
  klass.define_singleton_method(:instance_methods) { |all = true| super(all) | superclass.instance_methods }
  klass.define_singleton_method(:public_instance_method) do |name|
    super(name)
  rescue NameError
    raise unless superclass.public_instance_methods.include?(name)
    superclass.public_instance_method(name)
  end
  klass.define_singleton_method(:instance_method) do |name|
    super(name)
  rescue NameError
    raise unless superclass.instance_methods.include?(name)
    superclass.instance_method(name)
  end
  klass.module_eval(&block) if block
  klass
end
