# abort prints its message on standard error and exits with 1.
begin
  abort "stopping"
ensure
  puts "cleaned up"
end
