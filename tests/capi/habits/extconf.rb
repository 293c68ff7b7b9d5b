require "mkmf"

create_makefile("habits")
