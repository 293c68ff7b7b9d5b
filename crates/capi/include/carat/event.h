/* Events. */
#ifndef CARAT_EVENT_H
#define CARAT_EVENT_H 1
RUBY_SYMBOL_EXPORT_BEGIN
typedef uint32_t rb_event_flag_t;
#define RUBY_EVENT_LINE 0x0001
#define RUBY_EVENT_CLASS 0x0002
#define RUBY_EVENT_END 0x0004
#define RUBY_EVENT_CALL 0x0008
#define RUBY_EVENT_RETURN 0x0010
#define RUBY_EVENT_C_CALL 0x0020
#define RUBY_EVENT_C_RETURN 0x0040
#define RUBY_EVENT_RAISE 0x0080
#define RUBY_EVENT_ALL 0x00ff
#define RUBY_EVENT_B_CALL 0x0100
#define RUBY_EVENT_B_RETURN 0x0200
#define RUBY_EVENT_THREAD_BEGIN 0x0400
#define RUBY_EVENT_THREAD_END 0x0800
#define RUBY_EVENT_FIBER_SWITCH 0x1000
#define RUBY_EVENT_SCRIPT_COMPILED 0x2000
#define RUBY_EVENT_RESCUE 0x4000
#define RUBY_EVENT_TRACEPOINT_ALL 0x7fff
#define RUBY_INTERNAL_EVENT_NEWOBJ 0x100000
#define RUBY_INTERNAL_EVENT_FREEOBJ 0x200000
#define RUBY_INTERNAL_EVENT_GC_START 0x400000
#define RUBY_INTERNAL_EVENT_GC_END_MARK 0x800000
#define RUBY_INTERNAL_EVENT_GC_END_SWEEP 0x1000000
#define RUBY_INTERNAL_EVENT_GC_ENTER 0x2000000
#define RUBY_INTERNAL_EVENT_GC_EXIT 0x4000000
typedef void (*rb_event_hook_func_t)(rb_event_flag_t, VALUE, VALUE, ID, VALUE);
typedef enum { RUBY_EVENT_HOOK_FLAG_SAFE = 1, RUBY_EVENT_HOOK_FLAG_DELETED = 2, RUBY_EVENT_HOOK_FLAG_RAW_ARG = 4 } rb_event_hook_flag_t;
void rb_add_event_hook(rb_event_hook_func_t, rb_event_flag_t, VALUE);
void rb_thread_add_event_hook(VALUE, rb_event_hook_func_t, rb_event_flag_t, VALUE);
int rb_remove_event_hook(rb_event_hook_func_t);
int rb_thread_remove_event_hook(VALUE, rb_event_hook_func_t);
int rb_remove_event_hook_with_data(rb_event_hook_func_t, VALUE);
int rb_thread_remove_event_hook_with_data(VALUE, rb_event_hook_func_t, VALUE);
RUBY_SYMBOL_EXPORT_END
#endif
