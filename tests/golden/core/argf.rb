# oracle: native
# ARGF over files, with the lines and the errors it has in common everywhere, and editing in place.
require "tmpdir"

def attempt
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  File.write("one", "1\n2\n")
  File.write("two", "3\n4\n")

  p ARGF.class, ARGF.inspect, ARGF.instance_variables
  files = ARGF.class.new("one", "two")
  p files.argv, files.eof?, files.getc, files.filename, files.lineno
  p files.gets, files.gets, files.lineno, files.eof?, files.pos
  p files.skip.gets, files.filename, files.lineno
  files.each_line { |line| p line }
  attempt { files.pos }
  attempt { files.eof? }
  attempt { files.read }
  attempt { files.readline }
  attempt { files.fileno }
  attempt { files.seek(0) }
  attempt { files.rewind }
  attempt { files.readpartial(1) }
  attempt { files.read_nonblock(1) }

  p ARGF.class.new("one", "two").read
  p ARGF.class.new("one", "two").read(5)
  p ARGF.class.new("one", "two").each_char.to_a
  p ARGF.class.new("one", "two").each_line(chomp: true).to_a
  p ARGF.class.new("one", "two").each_byte.first(3)
  p ARGF.class.new("one", "two").each_codepoint.first(3)
  p ARGF.class.new("one", "two").readlines("2\n")
  pieces = ARGF.class.new("one", "two")
  3.times { attempt { pieces.readpartial(10) } }
  attempt { pieces.readpartial(10) }

  p ARGF.inplace_mode
  ARGF.inplace_mode = ".bak"
  p $-i
  ARGV.replace(%w[one two])
  while line = gets
    puts "#{$FILENAME}:#{$.}:#{line}"
  end
  $stdout.close
  $stdout = STDOUT
  puts File.read("one"), File.read("two"), File.read("one.bak")
  ARGF.inplace_mode = ""
  p ARGF.inplace_mode
  ARGV.replace(["one"])
  ARGF.each_line { |text| ARGF.write(text.upcase) }
  $stdout.close
  $stdout = STDOUT
  puts File.read("one")
  p Dir.children(".").sort
  ARGF.inplace_mode = nil
  p $-i
  Dir.chdir("/")
end
