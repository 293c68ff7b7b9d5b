# oracle: native
# Whoever is told of classes alone is told of each, whatever code opens it, and may open others, bind, raise and stop meanwhile.
class Watched
  def self.inherited(child)
    super
    child.prepare
  end

  def self.prepare = [3, 1].sort_by { |x| x }
end

module Space; end

log = []
trace = TracePoint.new(:class) { |event| log << [event.event, event.self, event.lineno, event.method_id, event.path == __FILE__] }

def made_in_a_loop(n)
  n.times do |i|
    Space.module_eval <<~RUBY
      class Made#{i} < Watched
        def number = #{i}
      end
    RUBY
  end
  Space.constants.sum { |name| Space.const_get(name).new.number }
end

trace.enable
class First; end
class First
  module Inner
    class << self
      def x = 1
    end
  end
end
class Below < Watched
  Local = 1
end
p made_in_a_loop(60)
trace.disable
class Unseen; end
puts log.size, log.first(6).inspect, log.last.inspect
log.clear

# The body's scope.
bound = TracePoint.new(:class) { |event| log << event.binding.local_variables << event.binding.receiver }
bound.enable do
  class Scoped
    a = 1
    b = a
  end
end
p log
log.clear

# What a hook opens is not told of, and what it raises comes out of the class.
nested = TracePoint.new(:class) do |event|
  Class.new(Watched) { class self::Deep; end }
  log << event.self
  raise "refused" if event.self.name == "Refused"
end
nested.enable do
  class Taken
    class Deeper < Watched; end
  end
  begin
    class Refused
      puts "not reached"
    end
  rescue => e
    p e.message, e.backtrace.size > 1
  end
rescue => e
  p e.message
end
p log
log.clear

# One that stops itself, and one of another thread.
once = TracePoint.new(:class) { |event| once.disable; log << event.self }
once.enable
class Once; end
class Twice; end
p log
log.clear
everywhere = TracePoint.new(:class, :thread_begin, :thread_end) { |event| log << event.event }
everywhere.enable
Thread.new { class InThread; end }.join
everywhere.disable
p log.uniq.sort
