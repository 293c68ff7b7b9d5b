# References that do not keep their object alive.
require "delegate"

# Passes calls on to an object that may be collected meanwhile: then they raise RefError.
class WeakRef < Delegator
  # The object is gone.
  class RefError < StandardError
  end

  @@objects = ::ObjectSpace::WeakMap.new

  def initialize(obj)
    super
  end

  def __getobj__
    @@objects[self] or
      defined?(yield) ? yield : ::Kernel.raise(RefError, "Invalid Reference - probably recycled", ::Kernel.caller(2))
  end

  def __setobj__(obj)
    @@objects[self] = obj
  end

  # Whether the object is still there.
  def weakref_alive? = @@objects.key?(self) || defined?(@@objects[self]) && !@@objects[self].nil?
end
