# Coverage: what is counted in files that are loaded, in what is evaluated, and when.
require "coverage"
$VERBOSE = nil

FIXTURES = File.expand_path("fixtures/coverage", __dir__)

def measure(name, ...)
  path = "#{FIXTURES}/#{name}.rb"
  Coverage.start(...)
  load path
  Coverage.result.transform_keys { |file| file == path ? name : file }
end

def numbered(lines, name)
  File.readlines("#{FIXTURES}/#{name}.rb").zip(lines) { |text, count| puts format("%4s %s", count.inspect, text.chomp) }
end

def show(forks)
  forks.each do |fork, branches|
    puts "#{fork}"
    branches.each { |branch, count| puts "  #{branch} #{count}" }
  end
end

def attempt
  p yield
rescue StandardError, NotImplementedError => error
  puts "#{error.class}: #{error.message}"
end

numbered(measure("lines")["lines"], "lines")
p measure("lines", lines: true).keys
p measure("lines", oneshot_lines: true)
show measure("branches", branches: true)["branches"][:branches]
result = measure("methods", methods: true, lines: true, branches: true)["methods"]
p result.keys, result[:branches]
result[:methods].sort_by { |method, _| method.drop(2) + [method[1]] }.each { |method, calls| puts "#{method} #{calls}" }
p Coverage.line_stub("#{FIXTURES}/lines.rb").count(0)

puts "-- states"
p Coverage.state, Coverage.running?
attempt { Coverage.result }
attempt { Coverage.peek_result }
attempt { Coverage.resume }
attempt { Coverage.suspend }
attempt { Coverage.start(1) }
attempt { Coverage.start(nil) }
attempt { Coverage.start(lines: true, oneshot_lines: true) }
attempt { Coverage.setup(lines: true) }
p Coverage.state
attempt { Coverage.setup }
attempt { Coverage.suspend }
attempt { Coverage.peek_result }
attempt { Coverage.resume }
attempt { Coverage.resume }
p Coverage.state, Coverage.running?
attempt { Coverage.suspend }
attempt { Coverage.result(1) }
attempt { Coverage.result }
p %i[lines oneshot_lines branches methods eval all foo].map { |target| Coverage.supported?(target) }
attempt { Coverage.supported?("lines") }

puts "-- clearing"
Coverage.start(lines: true, branches: true)
path = "#{FIXTURES}/branches.rb"
load path
p Coverage.result(stop: false, clear: true)[path][:lines].compact.sum
p Coverage.peek_result[path].values.map { |counts| counts.to_a.flatten.compact.size }
choose(0)
p Coverage.peek_result[path][:lines].first(20)
p Coverage.peek_result[path][:branches].values.first
p Coverage.result(stop: false, clear: false).size
p Coverage.result({}).size
Coverage.suspend
choose(0)
p Coverage.peek_result[path][:lines].first(4)
Coverage.resume
p Coverage.result(stop: true, clear: true).size
choose(0)
p Coverage.start, Coverage.result

puts "-- once"
Coverage.start(oneshot_lines: true)
load path
p Coverage.result(stop: false, clear: true)[path][:oneshot_lines].size
load "#{FIXTURES}/methods.rb"
p Coverage.result(stop: false, clear: true).transform_values { |counts| counts[:oneshot_lines].size }.values
choose(5)
p Coverage.result[path]

puts "-- eval"
Coverage.start(:all)
eval "p 1\n2\np 3\n"
eval "p 1\np 2", nil, "named"
eval "p 3\np 4\n", nil, "named", 2
eval "p 5\np 6\n", nil, "late", 3
eval "p 7\np 8\np 9\n", nil, "early", -1
eval "def given(a) = a ? 1 : 2\n", nil, "methods"
given(1)
Coverage.result.each { |file, counts| puts "#{file.sub(/ at .*/, "")}: #{counts}" }
Coverage.start(lines: true)
eval "p 1\n", nil, "named"
p Coverage.result

# Errors still point at their place in code that is counted.
Coverage.start(:all)
eval "def fails(x)\n  x.foo(1) if x\nend\n", nil, "failing"
begin
  fails(1)
rescue NoMethodError => error
  puts error.message, error.backtrace_locations.first.lineno
end
Coverage.result
lines = []
trace = TracePoint.new(:line) { |point| lines << point.lineno if point.path == "traced" }
Coverage.start(:all)
trace.enable { eval "a = 1\nif a\n  a = 2\nend\na.then { |x|\n  x }\n", nil, "traced" }
Coverage.result
p lines
