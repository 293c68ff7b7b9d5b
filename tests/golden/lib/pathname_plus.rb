# Every pair of odd paths put together, and what is above each.
require "pathname"

pieces = ["", ".", "..", "a", ".d", "..e", "/", "é"]
paths = pieces.product(pieces, pieces[0, 4]).flat_map { |names| [names.join("/"), names.join] }.uniq
odd = paths.each_slice(5).map(&:first)
paths.each { |path| puts "#{path.inspect}: #{odd.map { |other| (Pathname.new(path) + other).to_s }.join(" ")}" }
paths.each do |path|
  name = Pathname.new(path)
  puts [path, name.parent, name.ascend.map(&:to_s), name.descend.map(&:to_s), name.join("..", "q", "./z"), name.join].join(" | ")
end
