# What this file has elsewhere, `error_highlight` brings.
require "error_highlight"
