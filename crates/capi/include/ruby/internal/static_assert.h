/* Part of ruby/ruby.h, where extensions include it by itself. */
#include "ruby/ruby.h"
