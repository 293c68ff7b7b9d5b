require "mkmf"

have_func("rb_str_set_len") or abort "no rb_str_set_len"
have_func("rb_no_such_function") and abort "rb_no_such_function is there"
have_header("unistd.h") or abort "no unistd.h"
have_header("no_such_header.h") and abort "no_such_header.h is there"
have_library("m", "cos") or abort "no libm"
have_struct_member("struct stat", "st_mtime", "sys/stat.h") or abort "no st_mtime"
check_sizeof("long") == 8 or abort "long has other bytes than 8"
append_cflags("-Wno-declaration-after-statement")
create_header
create_makefile("basics")
