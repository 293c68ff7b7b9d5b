# Proc and Method: composition and currying. Binding: IRB.
#
# Primitives:
#   arity_range(proc)         [least, greatest or nil] number of arguments
#   callable_kind(value)      0 for a proc that is no lambda, 1 for a lambda or Method, 2 for what responds to call, else nil
class Proc
  # Returns a proc that calls self and gives the result to +other+.
  #   (:upcase.to_proc >> :reverse.to_proc).call("ab") #=> "BA"
  def >>(other)
    Core.callable_check(other)
    Core.compose(self, other, Primitive.callable_kind(self) == 1)
  end

  # Returns a proc that calls +other+ and gives the result to self.
  #   (:upcase.to_proc << :reverse.to_proc).call("ab") #=> "BA"
  def <<(other)
    kind = Core.callable_check(other)
    Core.compose(other, self, kind != 0)
  end

  # Returns a proc that collects arguments until there are +arity+ of them and then calls self.
  #   ->(a, b) { a + b }.curry[1][2] #=> 3
  def curry(arity = nil)
    least, most = Primitive.arity_range(self)
    if arity.nil?
      arity = least
    else
      arity = Primitive.to_long(arity)
      if lambda? && (arity < least || most && arity > most)
        expected = most.nil? ? "#{least}+" : (most == least ? least.to_s : "#{least}..#{most}")
        Core.arity_error(arity, expected)
      end
    end
    Core.curry(self, arity, [])
  end
end

class Binding
  # Starts IRB, which brings a method of this name that takes the place of this one.
  def irb(show_code: true)
    require "irb"
    irb(show_code: show_code)
  end
end

class Method
  # Returns a lambda that calls self and gives the result to +other+.
  def >>(other)
    Core.callable_check(other)
    Core.compose(self, other, true)
  end

  # Returns a proc that calls +other+ and gives the result to self; a lambda unless +other+ is a proc that is none.
  def <<(other)
    kind = Core.callable_check(other)
    Core.compose(other, self, kind != 0)
  end

  # Returns a lambda that collects arguments until there are enough and then calls self.
  def curry(arity = nil) = to_proc.curry(arity)
end

module Core
  def self.callable_check(value)
    kind = Primitive.callable_kind(value)
    raise TypeError, "callable object is expected" if kind.nil?
    kind
  end

  # A proc or lambda that calls +first+ and then +second+.
  def self.compose(first, second, lambda)
    if lambda
      ->(*args, **options, &block) { second.call(first.call(*args, **options, &block)) }
    else
      proc { |*args, **options, &block| second.call(first.call(*args, **options, &block)) }
    end
  end

  # What currying gives while arguments are missing: a lambda if the proc is one.
  def self.curry(proc, arity, passed)
    if proc.lambda?
      ->(*args, &block) { Core.curry_step(proc, arity, passed + args, block) }
    else
      Kernel.proc { |*args, &block| Core.curry_step(proc, arity, passed + args, block) }
    end
  end

  def self.curry_step(proc, arity, args, block)
    return proc.call(*args, &block) if Primitive.array_size(args) >= arity
    Primitive.warn("given block not used") unless block.nil?
    Core.curry(proc, arity, args)
  end
end
