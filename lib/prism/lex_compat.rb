# Here `prism` brings all that programs require this file for.
require "prism"
