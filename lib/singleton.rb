# Classes with one instance, made when it is first asked for.
module Singleton
  VERSION = "0.3.0".freeze

  module SingletonInstanceMethods # :nodoc:
    # The one instance is never copied.
    def clone = raise(TypeError, "can't clone instance of singleton #{self.class}")

    def dup = raise(TypeError, "can't dup instance of singleton #{self.class}")

    # Nothing of the instance is written; see SingletonClassMethods#_load.
    def _dump(_depth = -1) = ""
  end
  include SingletonInstanceMethods

  # What including classes get.
  module SingletonClassMethods # :nodoc:
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

    def set_mutex(mutex) = @singleton__mutex__ = mutex
  end

  # What the modules that make singletons of classes have in common.
  module SingletonClassProperties # :nodoc:
    # Objects cannot be extended with such a module.
    def self.extended(mod) = mod.singleton_class.undef_method(:extend_object)

    # Gives a class what it needs to make its instance once.
    def __init__(klass)
      klass.instance_eval do
        set_instance(nil)
        set_mutex(Thread::Mutex.new)
      end
      klass
    end

    private

    def append_features(mod)
      raise TypeError, "Inclusion of the OO-Singleton module in module #{mod}" unless mod.instance_of?(Class)
      super
    end

    def included(klass)
      super
      klass.private_class_method :new, :allocate
      klass.extend module_with_class_methods
      Singleton.__init__(klass)
    end
  end
  extend SingletonClassProperties

  def self.module_with_class_methods = SingletonClassMethods
end

# The same with one instance in each Ractor.
module RactorLocalSingleton # :nodoc:
  include Singleton::SingletonInstanceMethods

  module RactorLocalSingletonClassMethods # :nodoc:
    include Singleton::SingletonClassMethods

    # Returns the instance of the current Ractor.
    def instance
      Ractor[instance_key] || Ractor.store_if_absent(mutex_key) { Thread::Mutex.new }.synchronize do
        Ractor[instance_key] || set_instance(new)
      end
    end

    private

    def instance_key = :"__RactorLocalSingleton_instance_with_class_id_#{object_id}__"

    def mutex_key = :"__RactorLocalSingleton_mutex_with_class_id_#{object_id}__"

    def set_instance(instance) = Ractor[instance_key] = instance

    def set_mutex(mutex) = Ractor[mutex_key] = mutex
  end
  extend Singleton::SingletonClassProperties

  def self.module_with_class_methods = RactorLocalSingletonClassMethods
end
