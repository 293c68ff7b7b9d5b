# What of Thread's classes runs blocks.
class Thread::Mutex
  # Runs the block with the lock taken, and returns the block's value.
  #   mutex.synchronize { count += 1 }
  def synchronize
    raise ThreadError, "must be called with a block" unless block_given?
    Primitive.mutex_lock(self)
    begin
      yield
    ensure
      # Whoever unlocked it in the block hears of it, whatever else left the block.
      Primitive.mutex_unlock(self)
    end
  end
end
