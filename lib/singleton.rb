# Classes with one instance, made when it is first asked for.
module Singleton
  # The one instance is never copied.
  def clone = raise(TypeError, "can't clone instance of singleton #{self.class}")

  def dup = raise(TypeError, "can't dup instance of singleton #{self.class}")

  # Nothing of the instance is written; see SingletonClassMethods#_load.
  def _dump(_depth = -1) = ""

  # What including classes get.
  module SingletonClassMethods
    # A copy of the class has an instance of its own.
    def clone = Singleton.__init__(super)

    def _load(_text) = instance

    # Returns the instance.
    def instance
      @singleton__instance__ || @singleton__mutex__.synchronize { @singleton__instance__ ||= new }
    end

    private

    def inherited(subclass)
      super
      Singleton.__init__(subclass)
    end

    def set_instance(instance) = @singleton__instance__ = instance
  end

  class << self
    # Gives a class what it needs to make its instance once.
    def __init__(klass)
      klass.instance_eval do
        @singleton__instance__ = nil
        @singleton__mutex__ = Thread::Mutex.new
      end
      klass
    end

    # Objects cannot be extended with it.
    undef_method :extend_object

    private

    def append_features(mod)
      raise TypeError, "Inclusion of the OO-Singleton module in module #{mod}" unless mod.instance_of?(Class)
      super
    end

    def included(klass)
      super
      klass.private_class_method :new, :allocate
      klass.extend SingletonClassMethods
      Singleton.__init__(klass)
    end
  end
end
