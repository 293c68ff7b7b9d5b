/* Ractors. */
#ifndef RUBY_RACTOR_H
#define RUBY_RACTOR_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
struct rb_ractor_local_storage_type { void (*mark)(void *); void (*free)(void *); };
typedef struct rb_ractor_local_key_struct *rb_ractor_local_key_t;
extern const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free;
#define RB_RACTOR_LOCAL_STORAGE_TYPE_FREE (&rb_ractor_local_storage_type_free)
rb_ractor_local_key_t rb_ractor_local_storage_value_newkey(void);
VALUE rb_ractor_local_storage_value(rb_ractor_local_key_t);
bool rb_ractor_local_storage_value_lookup(rb_ractor_local_key_t, VALUE *);
void rb_ractor_local_storage_value_set(rb_ractor_local_key_t, VALUE);
rb_ractor_local_key_t rb_ractor_local_storage_ptr_newkey(const struct rb_ractor_local_storage_type *);
void *rb_ractor_local_storage_ptr(rb_ractor_local_key_t);
void rb_ractor_local_storage_ptr_set(rb_ractor_local_key_t, void *);
VALUE rb_ractor_make_shareable(VALUE);
VALUE rb_ractor_stdin(void);
VALUE rb_ractor_stdout(void);
VALUE rb_ractor_stderr(void);
bool rb_ractor_shareable_p(VALUE);
RUBY_SYMBOL_EXPORT_END
#endif
