# Source that parses and that no code can be made of: the file stands for the backtrace, and there are no locations.
sources = [
  "yield", "class Foo; yield; end", "module Foo; 1.then { yield }; end", "class << self; yield; end", "-> { yield }",
  "break", "next", "redo", "1 +", "def foo; class Bar; end; end", "class Foo; return; end", "def foo; $1 = 2; end", "retry",
]
sources.each do |source|
  eval(source, nil, "file.rb", 7)
  puts "#{source}: fine"
rescue SyntaxError => error
  first = error.backtrace.first.sub(/\A.*(?=errors_of_the_compiler)/, "")
  puts "#{source}: #{error.message.lines.first.chomp} | #{first} | #{error.backtrace_locations.nil?}"
rescue LocalJumpError => error
  puts "#{source}: #{error.message}"
end
