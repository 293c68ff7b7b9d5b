# An exit block that raises is reported at once, the program's own error last; an exit of a block is the status.
at_exit { puts "last, #{$!.class}" }
at_exit { exit 3 }
at_exit { puts "after an error, #{$!.message}" }
at_exit { raise "in a block" }
raise "the program"
