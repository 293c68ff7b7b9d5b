# oracle: native
# An exception that was raised is not moved away from who rescues it; one that was moved is raised by nothing.
Warning[:experimental] = false
SINK = Ractor.new { kept = []; loop { kept << Ractor.receive } }

def move(object) = SINK.send(object, move: true)

def outcome
  yield
  :none
rescue Exception => error
  [error.class, error.message]
end

p outcome { begin; raise "a"; rescue => error; move(error); raise; end }
p outcome { begin; raise "a"; ensure; move($!); end }
p outcome { begin; begin; raise "a"; ensure; move($!); end; ensure; 1; end }
p outcome { (raise "a" rescue (move($!); raise)) }

MOVES = Class.new { def self.===(error) = (move(error); false) }
p outcome { begin; raise "a"; rescue MOVES; end }

fresh = RuntimeError.new("x")
move(fresh)
p outcome { raise fresh }
p outcome { raise StandardError, "y", cause: fresh }
p outcome { Fiber.new { }.raise(fresh) }

# One that brings its own backtrace has none to be kept from the move.
class Bare < StandardError
  def backtrace = ["a:1"]
end
p outcome { begin; raise Bare; rescue => error; move(error); raise; end }.first.ancestors.include?(Exception)

# Enumerators cannot leave their Ractor.
p outcome { SINK.send([1].each) }, outcome { move([1].each) }, outcome { SINK.send([1].lazy) }, outcome { move(1.step(3)) }
