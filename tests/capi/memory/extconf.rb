require "mkmf"
create_makefile "memory"
