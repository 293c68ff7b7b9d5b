# oracle: native
# What `trap("EXIT")` raises is told after the errors of exit blocks, which do not see it, and decides the status; signals come first.
require "open3"
require "rbconfig"

[
  'at_exit { raise "x" }; exit 3',
  'at_exit { exit 4 }; exit 3',
  'at_exit { exit 4 }; raise "y"',
  'at_exit { raise "x" }',
  'trap(:EXIT) { exit 5 }; exit 3',
  'trap(:EXIT) { exit 5 }; at_exit { p $! }; raise "k"',
  'trap(:EXIT) { raise "E" }; at_exit { p $! }',
  'trap(:EXIT) { raise "E" }; at_exit { p $!; exit 6 }',
  'trap(:EXIT) { raise "E" }; at_exit { raise "F" }',
  'trap(:EXIT) { p $! }; at_exit { p $! }; raise "k"',
  'trap(:EXIT) { abort "E" }',
  'at_exit { puts "ran" }; Process.kill(:TERM, $$)',
  'at_exit { exit 2 }; Process.kill(:TERM, $$)',
  'at_exit { Process.kill(:TERM, $$) }; exit 3',
].each do |program|
  out, errors, status = Open3.capture3(RbConfig.ruby, "--disable=gems", "-e", program)
  puts program, out
  puts errors.lines.first if errors.include?("x (RuntimeError)")
  puts errors unless errors.include?("x (RuntimeError)")
  p status.exitstatus, status.termsig
end
