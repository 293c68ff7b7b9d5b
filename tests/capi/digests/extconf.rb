require "mkmf"
create_makefile "digests"
