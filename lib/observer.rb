# frozen_string_literal: true

# Objects that tell others about changes.
module Observable
  VERSION = "0.1.2".freeze

  def add_observer(observer, method = :update)
    @observer_peers ||= {}
    raise NoMethodError, "observer does not respond to `#{method}'" unless observer.respond_to?(method)
    @observer_peers[observer] = method
  end

  def delete_observer(observer) = @observer_peers&.delete(observer)

  def delete_observers = @observer_peers&.clear

  def count_observers = @observer_peers ? @observer_peers.size : 0

  def changed(state = true)
    @observer_state = state
  end

  def changed? = !!@observer_state

  # Calls the observers if something changed since the last time.
  def notify_observers(*args)
    return unless @observer_state
    @observer_peers&.each { |observer, method| observer.__send__(method, *args) }
    @observer_state = false
  end
end
