# A number given to $. is where ARGF counts on from, whatever was read last.
require "tempfile"
file = Tempfile.create("lines")
file.write("1\n2\n3\n4\n5\n6\n7\n")
file.close
ARGV.replace([file.path])
$. = 5
p ARGF.lineno, $.
p ARGF.gets, ARGF.lineno, $.
$. = 50.9
p ARGF.lineno, $.
begin
  $. = nil
rescue TypeError => error
  p error.message, $.
end
p ARGF.gets, ARGF.lineno, $., ARGF.file.lineno
other = File.open(file.path)
other.gets
p $., ARGF.lineno
p ARGF.gets, ARGF.lineno, $.
ARGF.lineno = 7
p $., ARGF.lineno, ARGF.file.lineno
p gets, $., ARGF.lineno, ARGF.file.lineno
$. = 20
other.gets
p ARGF.lineno, other.lineno, $.
other.close
File.unlink(file.path)
