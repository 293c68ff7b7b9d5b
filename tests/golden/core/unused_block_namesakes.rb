# A block that a method ignores may be meant for a namesake: one that is defined elsewhere, or in code that never ran.
eval <<~RUBY
  class Quiet
    def never(_) = 1
    if Quiet.method_defined?(:upcase)
      def never(_) = yield
    end

    def elsewhere(_) = 1
    def alone(_) = 1
  end
RUBY

class Other
  def elsewhere(_) = yield
end

Warning.singleton_class.prepend(Module.new { def warn(message, category: nil) = puts(message[/the block passed to \S+/]) })

$VERBOSE = true
quiet = Quiet.new
quiet.never(1) { 2 }
quiet.elsewhere(1) { 2 }
quiet.alone(1) { 2 }
