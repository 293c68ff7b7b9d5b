# oracle: native
# A forked child ends with its block, whatever leaves it; and begins anew in the fiber that forked.
$stdout.sync = true
at_exit { puts "ends #{$$ == $parent ? "parent" : "child"}" }
$parent = $$

def status(pid)
  Process.wait(pid)
  $?.exitstatus
end

def quiet = $stderr.reopen("/dev/null")
def leaving = fork { quiet; return 5 }

p status(fork { quiet; break })
p status(catch(:tag) { fork { quiet; throw :tag, 5 } })
p status(leaving)
p status(fork { quiet; next 5 })
p status(fork { quiet; raise "x" })
p status(fork { quiet; exit 4 })
p status(Process.fork { Thread.exit })
p [1].each { |x| break status(fork { quiet; [2].each { break }; exit 6 }) }

# The child of a fiber cannot yield to fibers that are the parent's.
pid = Fiber.new do
  fork do
    begin
      Fiber.yield 1
    rescue FiberError => error
      puts error.message
    end
    exit! 3
  end
end.resume
p status(pid)

# Fibers that end go back to the one that forked.
pid = Fiber.new do
  Fiber.new do
    fork do
      10.times { Fiber.new {}.transfer }
      exit! Fiber.new { Fiber.yield 7 }.resume
    end
  end.resume
end.resume
p status(pid)
