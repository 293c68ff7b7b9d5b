/* See ruby/onigmo.h. */
#include "ruby/onigmo.h"
