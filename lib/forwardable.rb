# Methods that pass their call on to another object, written as one line.
module Forwardable
  VERSION = "1.4.0".freeze
  FORWARDABLE_VERSION = VERSION

  class << self
    attr_accessor :debug
  end

  # delegate method => accessor, [method, method] => accessor
  def instance_delegate(hash)
    hash.each do |methods, accessor|
      Array(methods).each { |method| def_instance_delegator(accessor, method) }
    end
  end

  # Delegates several methods under their own names.
  def def_instance_delegators(accessor, *methods)
    methods.each do |method|
      next if /\A__(?:send|id)__\z/.match?(method)
      def_instance_delegator(accessor, method)
    end
  end

  # Defines +ali+, which calls +method+ of what +accessor+ (a method, an instance variable, a constant or any expression)
  # gives.
  def def_instance_delegator(accessor, method, ali = method)
    ali = ali.to_sym
    target = Module === self ? self : singleton_class
    if target.method_defined?(ali) || target.private_method_defined?(ali)
      target.send(:remove_method, ali) if target.instance_methods(false).include?(ali)
    end
    Forwardable.__define(target, accessor, method, ali)
  end

  # Defines a delegating method by its source: one made of a block could not be called in other Ractors.
  def self.__define(target, accessor, method, ali)
    accessor = accessor.to_s
    is_method = NAME.match?(accessor) && (target.method_defined?(accessor) || target.private_method_defined?(accessor))
    accessor = "#{accessor}()" if is_method
    source = NAME.match?(method.to_s) ? __named(target, accessor, method, ali) : "#{accessor}.__send__(#{method.to_sym.inspect}, ...)"
    target.module_eval("def __delegate__(...) = #{source}", __FILE__, __LINE__)
    target.alias_method(ali, :__delegate__)
    target.remove_method(:__delegate__)
    ali.to_sym
  end

  NAME = /\A[a-z_]\w*[?!]?\z/
  private_constant :NAME

  # A call by name, which is warned of if the method is private.
  def self.__named(target, accessor, method, ali)
    place = caller_locations(3, 1).first
    owner = target.singleton_class? ? target.attached_object.class : target
    text = "#{owner}##{ali} at #{place.path}:#{place.lineno} forwarding to private method "
    <<~RUBY
      begin
        _ = #{accessor}
        if defined?(_.#{method})
          _.#{method}(...)
        else
          ::Kernel.warn(#{text.dump} "\#{_.class}##{method}", uplevel: 1)
          _.__send__(:#{method}, ...)
        end
      end
    RUBY
  end
  private_class_method :__named

  alias delegate instance_delegate
  alias def_delegators def_instance_delegators
  alias def_delegator def_instance_delegator
end

# The same for a single object.
module SingleForwardable
  def single_delegate(hash)
    hash.each do |methods, accessor|
      Array(methods).each { |method| def_single_delegator(accessor, method) }
    end
  end

  def def_single_delegators(accessor, *methods)
    methods.each do |method|
      next if /\A__(?:send|id)__\z/.match?(method)
      def_single_delegator(accessor, method)
    end
  end

  def def_single_delegator(accessor, method, ali = method)
    Forwardable.__define(singleton_class, accessor, method, ali)
  end

  alias delegate single_delegate
  alias def_delegators def_single_delegators
  alias def_delegator def_single_delegator
end
