/* Ractors. */
#ifndef RUBY_RACTOR_H
#define RUBY_RACTOR_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
struct rb_ractor_local_storage_type { void (*mark)(void *); void (*free)(void *); };
typedef struct rb_ractor_local_key_struct *rb_ractor_local_key_t;
VALUE rb_ractor_make_shareable(VALUE);
VALUE rb_ractor_stdin(void);
VALUE rb_ractor_stdout(void);
VALUE rb_ractor_stderr(void);
bool rb_ractor_shareable_p(VALUE);
RUBY_SYMBOL_EXPORT_END
#endif
