# What this file has elsewhere, `erb` brings.
require "erb"
