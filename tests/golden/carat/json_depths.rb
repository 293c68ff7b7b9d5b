# Depths that a program names are no reason to run out of memory; CRuby 4.0 writes for ever, or until it is killed.
require "json"

[2**62, 2**63 - 1, 3_689_348_814_741_910_324, 2**40].each do |depth|
  JSON.generate([[1]], indent: " " * 5, array_nl: "\n", depth: depth, max_nesting: 0)
rescue ArgumentError, NoMemoryError => error
  puts "#{error.class}: #{error.message}"
end
[-1, -2**62, 0].each { |depth| puts JSON.generate([[1]], indent: "  ", array_nl: "\n", depth: depth, max_nesting: 0) }
