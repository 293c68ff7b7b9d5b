# What this file has elsewhere, `open3` brings.
require "open3"
