# What this file has elsewhere, `did_you_mean` brings.
require "did_you_mean"
