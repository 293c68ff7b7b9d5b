require "mkmf"

create_makefile("events")
