# Here `strscan` brings all that programs require this file for.
require "strscan"
