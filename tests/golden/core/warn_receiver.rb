# Kernel#warn asks its receiver nothing: an object with an `==` of its own that takes no module.
class Touchy
  def ==(other) = other.no_such_method
  def tell = warn("touchy")
end
$stderr = $stdout
Touchy.new.tell
Kernel.instance_method(:warn).bind_call(Touchy.new, "bound")
module Warning
  def self.warn(message, category: nil) = print("[#{message.chomp}]\n")
end
Touchy.new.tell
