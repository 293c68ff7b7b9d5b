require "bigdecimal.so"
require "bigdecimal/mode"
require "bigdecimal/conversion"
require "bigdecimal/power"
