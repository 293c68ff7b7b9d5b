/* C code beside Ruby code. */
#ifndef RUBY_THREAD_H
#define RUBY_THREAD_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
typedef void rb_unblock_function_t(void *);
typedef VALUE rb_blocking_function_t(void *);
#define RUBY_UBF_IO ((rb_unblock_function_t *)-1)
#define RUBY_UBF_PROCESS ((rb_unblock_function_t *)-1)
#define RB_NOGVL_INTR_FAIL 0x1
#define RB_NOGVL_UBF_ASYNC_SAFE 0x2
#define RB_NOGVL_OFFLOAD_SAFE 0x4
#define RB_NOGVL_PENDING_INTR_FAIL 0x8
void *rb_nogvl(void *(*)(void *), void *, rb_unblock_function_t *, void *, int);
void *rb_thread_call_without_gvl(void *(*)(void *), void *, rb_unblock_function_t *, void *);
void *rb_thread_call_without_gvl2(void *(*)(void *), void *, rb_unblock_function_t *, void *);
void *rb_thread_call_with_gvl(void *(*)(void *), void *);
#define rb_thread_call_with_gvl(f, a) rb_thread_call_with_gvl((void *(*)(void *))(f), (void *)(a))
#define rb_thread_call_without_gvl(f, a, u, b) rb_thread_call_without_gvl((void *(*)(void *))(f), (void *)(a), (rb_unblock_function_t *)(u), (void *)(b))
#define rb_thread_call_without_gvl2(f, a, u, b) rb_thread_call_without_gvl2((void *(*)(void *))(f), (void *)(a), (rb_unblock_function_t *)(u), (void *)(b))
#define RUBY_CALL_WO_GVL_FLAG_SKIP_CHECK_INTS_AFTER 0x02
/* Threads and their turns. Hooks may look at what is kept for a thread, and call the system. */
#define RUBY_INTERNAL_THREAD_EVENT_STARTED 1
#define RUBY_INTERNAL_THREAD_EVENT_READY 2
#define RUBY_INTERNAL_THREAD_EVENT_RESUMED 4
#define RUBY_INTERNAL_THREAD_EVENT_SUSPENDED 8
#define RUBY_INTERNAL_THREAD_EVENT_EXITED 16
#define RUBY_INTERNAL_THREAD_EVENT_MASK 0xff
typedef struct rb_internal_thread_event_data { VALUE thread; } rb_internal_thread_event_data_t;
typedef struct rb_internal_thread_event_hook rb_internal_thread_event_hook_t;
typedef void (*rb_internal_thread_event_callback)(rb_event_flag_t, const rb_internal_thread_event_data_t *, void *);
rb_internal_thread_event_hook_t *rb_internal_thread_add_event_hook(rb_internal_thread_event_callback, rb_event_flag_t, void *);
bool rb_internal_thread_remove_event_hook(rb_internal_thread_event_hook_t *);
typedef int rb_internal_thread_specific_key_t;
#define RB_INTERNAL_THREAD_SPECIFIC_KEY_MAX 8
rb_internal_thread_specific_key_t rb_internal_thread_specific_key_create(void);
void *rb_internal_thread_specific_get(VALUE, rb_internal_thread_specific_key_t);
void rb_internal_thread_specific_set(VALUE, rb_internal_thread_specific_key_t, void *);
/* Each thread has a native thread of its own. */
static inline bool rb_thread_lock_native_thread(void) { return false; }
RUBY_SYMBOL_EXPORT_END
#endif
