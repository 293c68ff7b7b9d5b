/* Assertions: see ruby/defines.h. */
#include "ruby/ruby.h"
