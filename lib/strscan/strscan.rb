# What this file has elsewhere, `strscan` brings.
require "strscan"
