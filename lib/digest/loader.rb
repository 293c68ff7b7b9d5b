# Here `digest` brings all that programs require this file for.
require "digest"
