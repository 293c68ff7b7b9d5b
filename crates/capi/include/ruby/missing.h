/* What some C libraries lack. */
#ifndef RUBY_MISSING_H
#define RUBY_MISSING_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
size_t ruby_strlcpy(char *, const char *, size_t);
size_t ruby_strlcat(char *, const char *, size_t);
#ifndef HAVE_STRLCPY
# define strlcpy ruby_strlcpy
#endif
#ifndef HAVE_STRLCAT
# define strlcat ruby_strlcat
#endif
RUBY_SYMBOL_EXPORT_END
#endif
