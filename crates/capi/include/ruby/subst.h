/* Part of ruby/ruby.h. */
#include "ruby/ruby.h"
