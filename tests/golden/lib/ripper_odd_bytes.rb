# Ripper of a source whose encoding has not all of its bytes.
require "ripper"
source = "# \u00e9\n  # x\nfoo = 1\n".dup.force_encoding("US-ASCII")
p Ripper.lex(source).map { |_, event, text| [event, text] }
