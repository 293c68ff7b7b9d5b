# What this file has elsewhere, `ripper` brings.
require "ripper"
