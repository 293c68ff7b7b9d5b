# Gives every RSpec example +allocate_at_most+.
require "rspec/core"
require "loupe/assertions"

RSpec.configure { |config| config.include(Loupe::Matchers) }
