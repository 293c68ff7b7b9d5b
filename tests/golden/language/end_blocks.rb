# oracle: native
# END blocks and at_exit: once for each place, the latest first, after the program and whatever it ended with.
END { puts "first END" }
2.times { |i| END { puts "END of a block, #{i}" } }
def late
  at_exit { puts "at_exit, registered while running" }
end
at_exit { puts "at_exit: #{$!.inspect}"; late }
END { print "last END, "; puts defined?(local).inspect }
local = 1
puts "the program"
exit 3
