# oracle: native
# Who writes to a standard output that nobody reads gets Errno::EPIPE, and ends as of SIGPIPE if nothing rescues it.
def run(program)
  reader, writer = IO.pipe
  errors_r, errors_w = IO.pipe
  child = spawn(RbConfig.ruby, "-e", program, out: writer, err: errors_w)
  writer.close
  errors_w.close
  reader.readpartial(10)
  reader.close
  errors = errors_r.read
  status = Process.wait2(child)[1]
  p [status.termsig, status.exitstatus, errors.lines.first(1)]
end

run('$stdout.sync = true; 100_000.times { puts "x" * 100 }')
run('100_000.times { puts "x" * 100 }')
run('begin; 100_000.times { print "x" * 100 }; rescue Exception => e; STDERR.puts e.class; exit!(3); end')
run('begin; 100_000.times { $stdout.write "x" * 100 }; rescue Errno::EPIPE => e; STDERR.puts e.class; end; $stdout.reopen(File::NULL); exit 4')
run('begin; 100_000.times { STDOUT << "x" * 100 }; rescue => e; at_exit { raise e }; raise e; end')
run('at_exit { STDERR.puts $!.class }; 100_000.times { puts "x" * 100 }')
run('begin; 100_000.times { puts "x" * 100 }; rescue SystemCallError => e; $stdout.reopen(File::NULL); raise e.class; end')
