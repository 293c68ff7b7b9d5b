require "mkmf"

create_makefile("ractors")
