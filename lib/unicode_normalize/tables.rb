# What this file has elsewhere, `unicode_normalize/normalize` brings.
require "unicode_normalize/normalize"
