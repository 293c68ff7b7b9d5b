# oracle: native
# A process that has no descriptor left closes the streams and folders that nothing refers to any more.
require "socket"
require "tmpdir"

Process.setrlimit(Process::RLIMIT_NOFILE, 50)
200.times { File.open(IO::NULL) }
puts "files"
200.times { IO.pipe }
puts "pipes"
200.times { Dir.open("/") }
puts "folders"
200.times { $stdout.dup }
puts "copies"
200.times { UDPSocket.new }
puts "sockets"
200.times { UNIXSocket.pair }
puts "pairs"
200.times { File.open(IO::NULL).read + File.read(IO::NULL) }
puts "files that were read"

# Takes what is left, and refers to it no more when it returns.
def take_all
  files = []
  files << File.open(IO::NULL) while true
rescue Errno::EMFILE
  files.clear
end

Dir.mktmpdir do |folder|
  File.write("#{folder}/a", "")
  take_all
  p Dir.glob("*", base: folder)
  take_all
  p Dir.children(folder)
  take_all
  p Dir.empty?(folder)
  take_all
  p system("true")
  take_all
  p IO.popen("echo a", &:read)

  kept = []
  begin
    kept << File.open(IO::NULL) while true
  rescue Errno::EMFILE
  end
  [-> { Dir.glob("#{folder}/*") }, -> { Dir.children(folder) }, -> { IO.pipe }, -> { $stdout.dup }].each do |work|
    work.call
  rescue Errno::EMFILE
    puts "none left"
  end
  kept.each(&:close)
end
