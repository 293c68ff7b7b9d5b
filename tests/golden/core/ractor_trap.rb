# oracle: native
# A Ractor may set what happens when a signal comes. The handler runs in the main Ractor, whoever sends the signal.
Warning[:experimental] = false

def mistake
  yield
rescue Exception => error
  [error.class, error.message]
end

HANDLER = Ractor.shareable_proc { |number| puts "#{Signal.signame(number)}, in the main Ractor: #{Ractor.main?}" }

p Ractor.new { [trap(:USR1, "IGNORE"), Signal.trap(:USR2, nil), trap("SIGUSR1", "DEFAULT"), trap(:USR2, "SIG_DFL")] }.value
p trap(:USR1, "DEFAULT")

Ractor.new { trap(:USR1, HANDLER) && Process.kill(:USR1, Process.pid) }.join
sleep 0.01 # the main thread looks after signals
p trap(:USR1, "DEFAULT").equal?(HANDLER)

# A block that is not shareable sees nothing around it.
Ractor.new { trap(:USR1) { |number| puts "a block for #{number == Signal.list["USR1"]}" } }.join
Process.kill(:USR1, Process.pid)
p Ractor.new { outer = 1; mistake { trap(:USR1) { p outer } }.last }.value

# What another Ractor sends is handled by a handler of the main one, which sees what that has.
seen = []
trap(:USR1) { seen << Ractor.main? }
Ractor.new { Process.kill(:USR1, Process.pid) }.join
sleep 0.01
p seen

p Ractor.new { [mistake { trap(:KILL) { } }.first, mistake { trap(:SEGV) { } }, mistake { trap(:NONE) { } }, mistake { trap(:USR1) }, mistake { trap }] }.value
p method(:trap).arity, Signal.method(:trap).owner, Kernel.respond_to?(:trap), respond_to?(:trap)
