# What this file has elsewhere, `digest/sha2` brings.
require "digest/sha2"
