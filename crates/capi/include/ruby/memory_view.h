/* Not there yet: nothing beyond ruby/ruby.h. */
#include "ruby/ruby.h"
