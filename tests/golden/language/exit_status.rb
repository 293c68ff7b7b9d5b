# exit inside nested calls runs ensure clauses and at_exit blocks; the last block's exit decides.
at_exit { exit 7 }
at_exit { puts "status so far: #{$!.status}" }

def leave
  yield
ensure
  puts "ensure"
end

leave { exit 3 }
puts "never"
