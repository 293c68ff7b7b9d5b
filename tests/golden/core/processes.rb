# oracle: native
# Processes: backticks, system, spawn, fork, pipes, exit statuses, signals and ENV.
p `echo hello`, $?.class, $?.success?, $?.exitstatus, `exit 3`, $?.exitstatus, %x(printf '%s' a"b"), system("true"), system("false"), system("exit 5"), $?.exitstatus, system("surely-no-such-command")
ENV["GOLDEN"] = "set"
p `echo $GOLDEN`, ENV["GOLDEN"], ENV.delete("GOLDEN"), ENV["GOLDEN"], ENV.fetch("NOPE", 1), (ENV.fetch("NOPE") rescue $!.message), ((ENV["A"] = 5) rescue $!.message), ENV.to_h.class
pid = fork { exit 7 }
Process.wait(pid)
p $?.exitstatus, $?.pid == pid, $?.exited?, $?.signaled?
pid = fork { sleep }
Process.kill(:TERM, pid)
_, status = Process.wait2(pid)
p status.signaled?, status.termsig, status.success?, Signal.signame(15)
reader, writer = IO.pipe
pid = fork { reader.close; writer.puts "from child"; writer.close; exit!(0) }
writer.close
p reader.read, Process.wait(pid) == pid
p IO.popen("cat", "r+") { |io| io.write("through cat"); io.close_write; io.read }, IO.popen(%w[echo a b], &:read), $?.class
pid = spawn("echo spawned; echo err >&2", out: IO.pipe[1], err: :out)
Process.wait(pid)
reader, writer = IO.pipe
Process.wait(spawn({ "X" => "y" }, "echo $X", out: writer))
writer.close
p reader.read
p (trap("USR1") { puts "trapped" }), Process.kill("USR1", Process.pid), sleep(0.01).class
at_exit { puts "at_exit in #{Process.pid == $$ ? :parent : :child}" }
pid = fork { exit!(2) }
Process.wait(pid)
p $?.exitstatus, Process.clock_gettime(Process::CLOCK_REALTIME).class, Process.ppid.class, (Process.wait rescue $!.class), (exec("surely-no-such-command") rescue $!.class)
