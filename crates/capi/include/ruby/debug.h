/* Events and frames. */
#ifndef RB_DEBUG_H
#define RB_DEBUG_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
typedef struct rb_debug_inspector_struct rb_debug_inspector_t;
typedef VALUE (*rb_debug_inspector_func_t)(const rb_debug_inspector_t *, void *);
typedef struct rb_trace_arg_struct rb_trace_arg_t;
VALUE rb_tracepoint_new(VALUE, rb_event_flag_t, void (*)(VALUE, void *), void *);
VALUE rb_tracepoint_enable(VALUE);
VALUE rb_tracepoint_disable(VALUE);
VALUE rb_tracepoint_enabled_p(VALUE);
rb_trace_arg_t *rb_tracearg_from_tracepoint(VALUE);
rb_event_flag_t rb_tracearg_event_flag(rb_trace_arg_t *);
VALUE rb_tracearg_event(rb_trace_arg_t *);
VALUE rb_tracearg_lineno(rb_trace_arg_t *);
VALUE rb_tracearg_path(rb_trace_arg_t *);
VALUE rb_tracearg_parameters(rb_trace_arg_t *);
VALUE rb_tracearg_method_id(rb_trace_arg_t *);
VALUE rb_tracearg_callee_id(rb_trace_arg_t *);
VALUE rb_tracearg_defined_class(rb_trace_arg_t *);
VALUE rb_tracearg_binding(rb_trace_arg_t *);
VALUE rb_tracearg_self(rb_trace_arg_t *);
VALUE rb_tracearg_return_value(rb_trace_arg_t *);
VALUE rb_tracearg_raised_exception(rb_trace_arg_t *);
VALUE rb_tracearg_eval_script(rb_trace_arg_t *);
VALUE rb_tracearg_instruction_sequence(rb_trace_arg_t *);
VALUE rb_tracearg_object(rb_trace_arg_t *);
RUBY_SYMBOL_EXPORT_END
#endif
