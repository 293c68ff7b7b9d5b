# What this file has elsewhere, `psych` brings.
require "psych"
