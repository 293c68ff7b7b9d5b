# oracle: native
# A program ends when its Ractors have put away what they have.
Warning[:experimental] = false
$stdout.sync = true
Ractor.new do
  sleep
ensure
  sleep 0.3
  $stdout.puts "put away"
end
sleep 0.1
puts "over"
