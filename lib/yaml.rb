require "psych"

YAML = Psych
