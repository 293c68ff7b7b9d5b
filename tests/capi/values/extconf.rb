require "mkmf"

create_makefile("values")
