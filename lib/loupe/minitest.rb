# Gives every Minitest test +assert_allocations+.
require "minitest"
require "loupe/assertions"

Minitest::Assertions.include(Loupe::Assertions)
