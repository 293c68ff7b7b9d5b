# oracle: native
# A %c takes what fits an int of C, and names what does not.

def report(name)
  shown = yield.inspect
rescue StandardError => error
  shown = "#{error.class}: #{error.message}"
ensure
  puts "#{name}: #{shown}"
end

report("too large") { format("%12c", 1e15, "") }
[2**31, 2**31 - 1, -2**31, -2**31 - 1, 2**64, -1, 1e10, 65.9, 0x110000].each do |code|
  report(code.inspect) { format("%c", code) }
end
p 1.method(:+).box, Method.method_defined?(:box), UnboundMethod.method_defined?(:box)

# Options that a popen does not know are of no effect; those in the command's own hash have to be known.
report("unknown") { IO.popen("echo 1", foo: 1, &:read) }
report("unknown, with others") { IO.popen("pwd; echo 2 >&2", "r", chdir: "/", err: [:child, :out], foo: 1, rlimit_foo: 2, &:read) }
report("unknown in the command") { IO.popen(["true", {foo: 1}], &:read) }
report("known, of a wrong type") { IO.popen("true", pgroup: -1, &:read) }
report("spawn") { spawn("true", foo: 1) }
