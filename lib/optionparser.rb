# The other name of optparse.
require "optparse"
