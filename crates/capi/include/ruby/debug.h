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
VALUE rb_debug_inspector_open(rb_debug_inspector_func_t, void *);
VALUE rb_debug_inspector_backtrace_locations(const rb_debug_inspector_t *);
VALUE rb_debug_inspector_frame_self_get(const rb_debug_inspector_t *, long);
VALUE rb_debug_inspector_frame_class_get(const rb_debug_inspector_t *, long);
VALUE rb_debug_inspector_frame_binding_get(const rb_debug_inspector_t *, long);
VALUE rb_debug_inspector_frame_iseq_get(const rb_debug_inspector_t *, long);
VALUE rb_debug_inspector_frame_depth(const rb_debug_inspector_t *, long);
VALUE rb_debug_inspector_current_depth(void);
int rb_profile_frames(int, int, VALUE *, int *);
int rb_profile_thread_frames(VALUE, int, int, VALUE *, int *);
VALUE rb_profile_frame_path(VALUE);
VALUE rb_profile_frame_absolute_path(VALUE);
VALUE rb_profile_frame_label(VALUE);
VALUE rb_profile_frame_base_label(VALUE);
VALUE rb_profile_frame_full_label(VALUE);
VALUE rb_profile_frame_first_lineno(VALUE);
VALUE rb_profile_frame_classpath(VALUE);
VALUE rb_profile_frame_singleton_method_p(VALUE);
VALUE rb_profile_frame_method_name(VALUE);
VALUE rb_profile_frame_qualified_method_name(VALUE);
/* Jobs that a signal handler puts off until Ruby code may run. */
typedef void (*rb_postponed_job_func_t)(void *);
typedef unsigned int rb_postponed_job_handle_t;
#define POSTPONED_JOB_HANDLE_INVALID ((rb_postponed_job_handle_t)-1)
rb_postponed_job_handle_t rb_postponed_job_preregister(unsigned int, rb_postponed_job_func_t, void *);
void rb_postponed_job_trigger(rb_postponed_job_handle_t);
/* With RUBY_EVENT_HOOK_FLAG_RAW_ARG the function takes its data and what is asked of an event. */
void rb_add_event_hook2(rb_event_hook_func_t, rb_event_flag_t, VALUE, rb_event_hook_flag_t);
void rb_thread_add_event_hook2(VALUE, rb_event_hook_func_t, rb_event_flag_t, VALUE, rb_event_hook_flag_t);
RUBY_SYMBOL_EXPORT_END
#endif
