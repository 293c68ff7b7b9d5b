require "mkmf"
create_makefile "turns"
