/* Events and frames. */
#ifndef RB_DEBUG_H
#define RB_DEBUG_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
typedef struct rb_debug_inspector_struct rb_debug_inspector_t;
typedef VALUE (*rb_debug_inspector_func_t)(const rb_debug_inspector_t *, void *);
typedef struct rb_trace_arg_struct rb_trace_arg_t;
RUBY_SYMBOL_EXPORT_END
#endif
