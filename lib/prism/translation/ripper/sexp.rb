# Here `prism/translation` brings all that programs require this file for.
require "prism/translation"
