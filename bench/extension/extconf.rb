require "mkmf"
create_makefile("costs")
