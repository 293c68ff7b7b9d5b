# A Hash named SCRIPT_LINES__ gets the lines of each file that is loaded; the scope is named of a constant that cannot be shared.
require "tmpdir"
SCRIPT_LINES__ = {}
Dir.mktmpdir do |folder|
  path = File.join(folder, "lines.rb")
  File.binwrite(path, "# encoding: euc-jp\np __ENCODING__\n\n# \xA4\xA2")
  load path
  p SCRIPT_LINES__.keys == [path], SCRIPT_LINES__[path], SCRIPT_LINES__[path].map(&:encoding)
end

["B::C = [Object.new]", "C = [Object.new]"].each do |assignment|
  B = Module.new unless defined?(B)
  eval("# shareable_constant_value: literal\n#{assignment}")
rescue Ractor::IsolationError => e
  puts e.message
end
