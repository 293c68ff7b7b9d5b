require "mkmf"

create_makefile("streams")
