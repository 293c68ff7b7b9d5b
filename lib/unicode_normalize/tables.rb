# Here `unicode_normalize/normalize` brings all that programs require this file for.
require "unicode_normalize/normalize"
