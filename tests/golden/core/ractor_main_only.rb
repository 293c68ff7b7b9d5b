# oracle: native
# What acts on the process as a whole is the main Ractor's alone; there the program goes on as if nothing had been tried.
Warning[:experimental] = false

def mistake
  yield
rescue Exception => error
  [error.class, error.message]
end

at_exit { puts "the main Ractor's block" }
p Ractor.new { mistake { at_exit { puts "never" } } }.value
p Ractor.new { mistake { at_exit } }.value
p Ractor.new { kept = [1]; mistake { END { p kept } } }.value
p Ractor.new { mistake { fork { puts "never" } } }.value
p Ractor.new { mistake { Process.fork } }.value
p Ractor.new { mistake { IO.popen("-") } }.value
p Ractor.new { mistake { Regexp.timeout = 1 } }.value
p Regexp.timeout

def report_in_ractor
  3.times { END { puts "once, from the main Ractor" } }
end
report_in_ractor

# Errors are explained in every Ractor.
text = Ractor.new do
  1.timess
rescue NoMethodError => error
  error.detailed_message(highlight: false)
end.value
puts text[/Did you mean.*/]
