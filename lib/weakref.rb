# References that do not keep their object alive.
require "delegate"

# Passes calls on to an object that may be collected meanwhile: then they raise RefError.
class WeakRef < Delegator
  VERSION = "0.1.4".freeze

  # The object is gone.
  class RefError < StandardError
  end

  @@objects = ::ObjectSpace::WeakMap.new

  # true, false and nil are never collected, and no key of a table leads to false or nil.
  def initialize(obj)
    super
    if ::NilClass === obj || ::TrueClass === obj || ::FalseClass === obj
      @delegate_constant = obj
    else
      @@objects[self] = obj
    end
  end

  # The object. Whoever asks gets the error, a block for what to do without one or not.
  def __getobj__
    object = @@objects[self]
    return object if object
    return @delegate_constant if defined?(@delegate_constant)
    ::Kernel.raise(RefError, "Invalid Reference - probably recycled", ::Kernel.caller(2))
  end

  # What it refers to stays the same.
  def __setobj__(_obj)
  end

  # Whether the object is still there.
  def weakref_alive? = @@objects.key?(self) || defined?(@delegate_constant)
end
