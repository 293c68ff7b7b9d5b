# Here `error_highlight` brings all that programs require this file for.
require "error_highlight"
