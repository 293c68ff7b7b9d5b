# A whole dump: whatever an object or a root refers to has a line of its own, the stream that is written to included.
require "objspace"
require "tempfile"

kept = Array.new(100) { |i| { i => "value #{i}", list: [i, i.to_s] } }

Tempfile.create("dump") do |file|
  p ObjectSpace.dump_all(output: file).equal?(file)
  file.rewind
  lines = file.readlines
  addresses = lines.filter_map { |line| line[/\A\{"address":"(0x\h+)"/, 1] }
  references = lines.flat_map { |line| line[/"references":\[([^\]]*)\]/, 1].to_s.scan(/0x\h+/) }
  p addresses.uniq.size == addresses.size
  p references.uniq - addresses
  p lines.count { |line| line.include?('"value":"value ') } >= kept.size
end
