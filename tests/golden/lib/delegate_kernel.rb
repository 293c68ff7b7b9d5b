# Private methods of Kernel are the object's, if it has such; errors compare with what delegates to errors.
require "delegate"

class Door
  def open = :opened
  def format(*) = :formatted
  def select = :selected
end

class Keeper < SimpleDelegator
  def call = [open, format("x"), select, sprintf("%d", 3), Integer("4"), block_given?, __method__]
end

keeper = Keeper.new(Door.new)
p keeper.open, keeper.send(:open), keeper.call, keeper.__send__(:format, "%d")
begin
  Keeper.new(Object.new).open
rescue ArgumentError => error
  p error.class
end

error = SystemCallError.new(0)
p SimpleDelegator.new(error) == error, error == SimpleDelegator.new(error)
p RuntimeError.new("a") == SimpleDelegator.new(RuntimeError.new("b")), RuntimeError.new("a") == SimpleDelegator.new("a")
