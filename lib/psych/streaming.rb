# Here `psych` brings all that programs require this file for.
require "psych"
