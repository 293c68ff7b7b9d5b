# Here `digest/sha2` brings all that programs require this file for.
require "digest/sha2"
