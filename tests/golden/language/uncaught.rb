# An uncaught exception with a cause: ensure clauses and at_exit blocks run, the report goes to standard error, status 1.
at_exit { puts "at_exit 1: #{$!.inspect}" }
at_exit { puts "at_exit 2" }

class Broken < StandardError
  def detailed_message(highlight: false, **) = super + " (with detail)"
end

def inner = raise(ArgumentError, "first line\nsecond line")

def outer
  inner
rescue ArgumentError
  raise Broken, "could not"
ensure
  puts "ensure"
end

puts "before"
outer
puts "never"
