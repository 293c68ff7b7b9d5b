# What this file has elsewhere, `digest` brings.
require "digest"
