# frozen_string_literal: true

# Makes any object a lock.
module Mutex_m
  VERSION = "0.3.0".freeze

  def self.append_features(klass)
    super
    return if Module === klass && !(Class === klass)
    klass.class_eval do
      alias locked? mu_locked?
      alias lock mu_lock
      alias unlock mu_unlock
      alias try_lock mu_try_lock
      alias synchronize mu_synchronize
    end
  end

  def self.extend_object(object)
    super
    object.mu_extended
  end

  def mu_extended
    unless defined?(locked?) && defined?(lock) && defined?(unlock) && defined?(try_lock) && defined?(synchronize)
      singleton_class.class_eval do
        alias_method :locked?, :mu_locked?
        alias_method :lock, :mu_lock
        alias_method :unlock, :mu_unlock
        alias_method :try_lock, :mu_try_lock
        alias_method :synchronize, :mu_synchronize
      end
    end
    mu_initialize
  end

  def mu_synchronize(&block) = @_mutex.synchronize(&block)

  def mu_locked? = @_mutex.locked?

  def mu_try_lock = @_mutex.try_lock

  def mu_lock = @_mutex.lock

  def mu_unlock = @_mutex.unlock

  def sleep(timeout = nil) = @_mutex.sleep(timeout)

  private

  def mu_initialize
    @_mutex = Thread::Mutex.new
  end

  def initialize(*args, **keywords)
    mu_initialize
    super
  end
end
