# oracle: native
# A forked child: a file that another thread was loading is loaded anew.
require "tmpdir"
Dir.mktmpdir do |dir|
  File.write("#{dir}/slow.rb", "$started << 1; sleep 0.3 if $parent == $$; SLOW = 1; $count = $count.to_i + 1")
  $started = Queue.new
  $parent = $$
  autoload :SLOW, "#{dir}/slow.rb"
  t = Thread.new { SLOW }
  $started.pop
  pid = fork { p SLOW, $count; exit!(0) }
  Process.wait(pid)
  t.join
  p SLOW
end
