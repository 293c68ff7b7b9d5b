# Here `ripper` brings all that programs require this file for.
require "ripper"
