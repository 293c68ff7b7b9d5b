# What this file has elsewhere, `prism/translation` brings.
require "prism/translation"
