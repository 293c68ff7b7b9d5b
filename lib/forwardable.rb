# Methods that pass their call on to another object, written as one line.
module Forwardable
  VERSION = "1.4.0"

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
    target.define_method(ali, &Forwardable.__delegator(accessor, method.to_sym))
    ali
  end

  # The body of a delegating method.
  def self.__delegator(accessor, method)
    accessor = accessor.to_s
    find = case accessor
    when /\A@@/ then ->(object) { object.class.class_variable_get(accessor) }
    when /\A@/ then ->(object) { object.instance_variable_get(accessor) }
    when /\A[a-z_]\w*[?!]?\z/ then ->(object) { object.__send__(accessor) }
    else ->(object) { object.instance_eval(accessor) }
    end
    ->(*args, **options, &block) { find.(self).__send__(method, *args, **options, &block) }
  end

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
    define_singleton_method(ali.to_sym, &Forwardable.__delegator(accessor, method.to_sym))
    ali.to_sym
  end

  alias delegate single_delegate
  alias def_delegators def_single_delegators
  alias def_delegator def_single_delegator
end
