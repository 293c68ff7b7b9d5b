# An object that goes to another Ractor is cloned as `clone` without keywords does it, which its class may rely on.
# flags: -W0
class Cloned
  attr_reader :original

  def initialize_clone(other)
    super
    @original = other.object_id
  end
end

object = Cloned.new
p Ractor.new(object) { |copy| copy.original }.value == object.object_id
p Ractor.new([Cloned.new].freeze) { |list| [list.frozen?, list[0].frozen?] }.value
