# Here `did_you_mean` brings all that programs require this file for.
require "did_you_mean"
