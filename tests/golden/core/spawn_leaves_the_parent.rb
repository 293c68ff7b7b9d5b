# oracle: native
# What children do before they are other programs changes nothing in the parent: descriptors, folder, mask, handlers, variables.
require "tmpdir"

Dir.mktmpdir do |dir|
  Dir.chdir(dir)
  File.write("script", "echo no interpreter \"$@\"\n")
  File.write("plain", "text")
  File.chmod(0o755, "script")
  Dir.mkdir("sub")
  ENV["PATH"] = "#{dir}/absent:#{dir}/plain:#{dir}/sub:#{ENV["PATH"]}"

  mask = File.umask
  kept = ["kept"]
  trap("USR1") { kept << "handler" }
  trap("PIPE") { kept << "pipe" }
  run = ->(*command, **options) { IO.popen([*command], **options, &:read) }

  print run.call("./script", "a", "b"), run.call({ "MINE" => "x" }, "sh", "-c", "echo $MINE; pwd", chdir: "sub").sub(dir, "")
  print run.call("sh", "-c", "umask", umask: 0o77), run.call("sh", "-c", "ulimit -n", rlimit_nofile: 50)
  print run.call("sh", "-c", "echo err >&2; echo out", err: [:child, :out]), run.call("sh", "-c", "echo gone >&2", err: "/dev/null")
  p run.call("sh", "-c", "kill -USR1 $$; echo survived"), $?.termsig == Signal.list["USR1"]
  p [Dir.pwd == File.realpath(dir), File.umask == mask, ENV["MINE"], Process.getrlimit(:NOFILE)[0] > 50]

  reader, writer = IO.pipe
  Process.wait(spawn("sh", "-c", "echo closed out 2>/dev/null; echo other >&3", out: :close, 3 => writer))
  writer.close
  p reader.read, STDOUT.closed?

  [{ out: "/dev/null" }, { 1 => :close }, { [:err, :out] => "/dev/null" }, { STDOUT => :err }].each do |options|
    IO.popen(["echo"], **options, &:read)
  rescue ArgumentError => error
    puts error.message
  end
  begin
    IO.popen("cat", "r+", in: "/dev/null")
  rescue ArgumentError => error
    puts error.message
  end
  [["absent"], ["./plain"], ["sub"], ["true", { in: "nowhere/file" }]].each do |command, options|
    system(command, **(options || {}), exception: true)
  rescue SystemCallError => error
    puts error.message
  end
  p system("absent"), $?.exitstatus, system("./plain")

  threads = 6.times.map do |i|
    Thread.new { 10.times.map { |k| k.odd? ? `echo #{i} #{k}` : system("absent").inspect }.join(" ").delete("\n") }
  end
  puts threads.map(&:value)
  Process.kill("USR1", Process.pid)
  sleep 0.01 until kept.size > 1
  p kept
  Dir.chdir("/")
end
