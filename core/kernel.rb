# Kernel: the methods that yield or build enumerators.
module Kernel
  # Repeats the block for ever; StopIteration ends it and gives the result.
  #   loop { break 1 } #=> 1
  def loop
    return Core.enumerator(self, :loop, Core::NO_ARGUMENTS) { Float::INFINITY } unless block_given?
    begin
      yield while true
    rescue StopIteration => stop
      stop.result
    end
  end
  module_function :loop

  # Prints objects laid out in lines and returns them; PP, which does it, is loaded now.
  #   pp({a: 1}) #=> {a: 1}
  def pp(*objects)
    require "pp"
    pp(*objects)
  end
  private :pp

  # Calls the block with self and returns self.
  #   [3, 1].tap { |a| p a }.min #=> 1
  def tap
    yield self
    self
  end

  # Calls the block with self and returns its result.
  #   2.then { |x| x + 1 } #=> 3
  def then
    return Core.enumerator(self, Primitive.callee, Core::NO_ARGUMENTS) { 1 } unless block_given?
    yield self
  end
  alias_method :yield_self, :then

  # Returns an Enumerator over the call +method+(*args); the block computes its size.
  #   "ab".to_enum(:each_char).to_a #=> ["a", "b"]
  def to_enum(method = :each, *args, **options, &size)
    enum = Core.enumerator_make(Enumerator, self, Core.operation_name(method), args, size)
    Core.enumerator_set_kwargs(enum, options) unless options.empty?
    enum
  end
  alias enum_for to_enum

  # Returns the name as a Pathname, which one is already.
  def Pathname(path) = ::Pathname === path ? path : ::Pathname.new(path)
  module_function :Pathname
end

# Part of the core since Ruby 4.0, but read when somebody names it.
autoload :Pathname, "pathname"
