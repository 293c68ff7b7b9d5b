# oracle: native
# What IO.popen takes for an environment, a program, a mode and options.

def try(*args, **options)
  IO.popen(*args, **options) { |io| puts io.read }
rescue SystemCallError, ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end

try
try("echo a")
try("echo a", "r")
try({"WORD" => "b"}, "echo $WORD")
try({"WORD" => "c"}, "echo $WORD", "r")
try([{"WORD" => "d"}, "echo $WORD"])
try(["echo", "e f"])
try("echo g >&2", err: [:child, :out])
try(["sh", "-c", "echo h >&2", {err: [:child, :out]}])
try([])
try([{"WORD" => "x"}])
try([{"WORD" => "x"}, {in: :close}])
try({"WORD" => "x"})
try({"WORD" => "x"}, "no such program")
try(in: :close)
try(5)
try("true", "r", 5)
try("true", "r", 5, 6)
