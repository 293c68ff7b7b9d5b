# A frame that is made after Ruby code ran in between (a conversion, `inherited`) begins with its event.
class Given
  def to_a = [1]
  def to_hash = {k: 1}
  def to_proc = proc {}
end

class Watched
  def self.inherited(child)
    super
    child.prepare
  end

  def self.prepare = [3, 1].sort_by { |x| x }.each { |x| x }
end

def rest(*a) = a
def keys(**a) = a
def block(&a) = a
def optional(x = 1, y = 2) = x

$log = []
$trace = TracePoint.new(:call, :b_call, :class, :end) do |event|
  $log << [event.event, event.method_id, event.lineno - $line] if event.path == __FILE__
end

def show(line)
  $log.clear
  $line = line
  $trace.enable { yield }
  puts "#{line}: #{$log.drop(1).inspect}"
end

show(__LINE__) { rest(*Given.new) }
show(__LINE__) { optional(*Given.new) }
show(__LINE__) { keys(**Given.new) }
show(__LINE__) { block(&Given.new) }
show(__LINE__) { rest(*Given.new, &Given.new) }
show(__LINE__) { optional(*Given.new, **Given.new, &Given.new) }
show(__LINE__) do
  class Below < Watched
    def name = 1
  end
  class Below
  end
end
show(__LINE__) do
  module Outer
    class Inner < Watched
      rest_of_it = 1
    end
  end
end
