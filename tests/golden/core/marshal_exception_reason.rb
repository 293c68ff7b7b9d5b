# A program's own @reason is dumped as any other variable; only that of a LocalJumpError is the error's.
class Remote < RuntimeError
  attr_reader :reason

  def initialize(error)
    @reason = error.class.to_s
    super("#{error.message} (#{error.class})")
    set_backtrace(["somewhere:1"])
  end
end

copy = Marshal.load(Marshal.dump(Remote.new(TypeError.new("wrong"))))
p copy, copy.reason, copy.backtrace

def escaping = proc { return 1 }
begin
  escaping.call
rescue LocalJumpError => error
  copy = Marshal.load(Marshal.dump(error))
  p copy.reason, copy.message
end
