# __END__ and DATA: lines, rewinding to the start of the data, what stands behind it.
p DATA.class, DATA.gets, DATA.lineno
DATA.each_line { |line| puts line.chomp.reverse }
p DATA.eof?, DATA.read, DATA.gets
puts "\n__END__ in a string is not the end"
text = <<~TEXT
  __END__ inside a heredoc neither
TEXT
puts text
__END__
first line
second
__END__
third, with é
