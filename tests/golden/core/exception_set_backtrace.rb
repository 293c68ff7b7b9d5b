# Raising an exception calls a set_backtrace that a program has defined, with the lines as strings.
class Noted < RuntimeError
  attr_reader :lines

  def set_backtrace(lines)
    @lines = lines
    super
  end
end

def attempt
  yield
rescue Exception => error
  error
end

error = attempt { raise Noted, "once" }
p error.lines.class, error.lines == error.backtrace, error.backtrace[0], error.backtrace_locations.size == error.lines.size
again = attempt { raise error }
p again.lines.equal?(error.lines)
p attempt { raise Noted, "given", ["place:1"] }.lines, attempt { raise Noted.new }.lines.empty?

single = Noted.new
def single.set_backtrace(_lines) = puts("of one")
error = attempt { raise single }
p error.backtrace, error.backtrace_locations&.size&.positive?

module Extension
  def set_backtrace(lines) = (puts("#{self.class}: #{lines.size > 0}"); super)
end
[ZeroDivisionError, NoMethodError, StopIteration, TypeError, UncaughtThrowError].each { |kind| kind.prepend(Extension) }
attempt { 1 / 0 }
attempt { nil.missing }
attempt { [].each.next }
attempt { Integer([]) }
attempt { throw :nobody }

class Bad < RuntimeError
  def set_backtrace(_lines) = raise(self.class, "inner")
end
error = attempt { raise Bad, "outer" }
p error.class, error.message, error.backtrace, $!
