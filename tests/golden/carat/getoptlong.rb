# Options of the command line: orders, flags, abbreviations, errors.
require "getoptlong"

OPTIONS = [
  ["--max", "-m", GetoptLong::REQUIRED_ARGUMENT],
  ["--maybe", "-y", GetoptLong::OPTIONAL_ARGUMENT],
  ["--verbose", "-v", "--loud", GetoptLong::NO_ARGUMENT],
  ["-q", GetoptLong::NO_ARGUMENT],
]

def take(*words, ordering: nil, posix: false)
  ARGV.replace(words)
  ENV["POSIXLY_CORRECT"] = posix ? "1" : nil
  opts = GetoptLong.new(*OPTIONS)
  opts.quiet = true
  opts.ordering = ordering if ordering
  found = []
  opts.each { |name, argument| found << [name, argument] }
  puts "#{words.inspect} => #{found.inspect} left #{ARGV.inspect} #{opts.terminated?}"
rescue GetoptLong::Error => e
  puts "#{words.inspect} => #{found.inspect} #{e.class}: #{e.message}; #{opts.error} #{opts.error_message.inspect} left #{ARGV.inspect}"
  p opts.get
  begin
    opts.terminate
  rescue RuntimeError => e
    puts e.message
  end
ensure
  ENV["POSIXLY_CORRECT"] = nil
end

take
take "a", "b"
take "--max", "3", "rest"
take "--max=3", "-m4", "-m", "5"
take "--max=", "--max=a=b"
take "--maybe", "x", "--maybe=y", "--maybe", "--verbose", "--maybe"
take "-y", "-yz", "-y", "w", "-yv"
take "-vqv", "-vm7", "-qm", "8"
take "a", "-v", "b", "--max", "1", "c"
take "a", "-v", "b", ordering: GetoptLong::RETURN_IN_ORDER
take "-v", "a", "-q", ordering: GetoptLong::REQUIRE_ORDER
take "-v", "a", "-q", posix: true
take "-v", "--", "-q", "x"
take "a", "--", "-q"
take "-", "-v"
take "--verb", "--lou", "--loud"
take "--ma", "1"
take "--may=1"
take "--nothing"
take "-x"
take "-vx", "a"
take "--max"
take "-m"
take "--verbose=1"
take "--verb=1"
take "-m", "--", "x"

def refuse
  p yield
rescue StandardError => e
  puts "#{e.class}: #{e.message}"
end

refuse { GetoptLong.new(["--a"]) }
refuse { GetoptLong.new([GetoptLong::NO_ARGUMENT]) }
refuse { GetoptLong.new("--a") }
refuse { GetoptLong.new(["a", GetoptLong::NO_ARGUMENT]) }
refuse { GetoptLong.new(["--a", GetoptLong::NO_ARGUMENT], ["--a", GetoptLong::NO_ARGUMENT]) }
refuse { GetoptLong.new(["--a", GetoptLong::NO_ARGUMENT, GetoptLong::NO_ARGUMENT]) }
refuse { GetoptLong.new.ordering = 7 }
refuse { GetoptLong.new.ordering }
refuse { o = GetoptLong.new(["-v", GetoptLong::NO_ARGUMENT]); ARGV.replace(["-v"]); o.get; o.set_options(["-w", 0]) }
refuse { o = GetoptLong.new(["-v", GetoptLong::NO_ARGUMENT]); ARGV.replace(["-v", "x"]); [o.get, o.get_option, o.get, ARGV, o.terminate] }
refuse { o = GetoptLong.new(["-v", GetoptLong::NO_ARGUMENT]); ARGV.replace(["x", "-v"]); [o.get, o.terminate.equal?(o), ARGV, o.get] }
o = GetoptLong.new(["-v", GetoptLong::NO_ARGUMENT])
p o.quiet?, o.error?, o.error_message, o.terminated?
$stderr = $stdout
$0 = "program"
ARGV.replace(["-w"])
refuse { o.get }
