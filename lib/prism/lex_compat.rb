# What this file has elsewhere, `prism` brings.
require "prism"
