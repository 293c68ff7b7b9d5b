# Symbol: everything is native or comes from String.
class Symbol
  # Returns the symbol after self.
  #   :a1.succ #=> :a2
  def succ = name.succ.to_sym
  alias next succ
end
