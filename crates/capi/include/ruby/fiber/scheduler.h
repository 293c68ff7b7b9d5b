/* Fiber schedulers: each function calls the scheduler's method of that name. */
#ifndef RUBY_FIBER_SCHEDULER_H
#define RUBY_FIBER_SCHEDULER_H 1
#include <errno.h>
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
#define RUBY_FIBER_SCHEDULER_VERSION 3
struct timeval;
/* A result of a system call as schedulers give it: what was returned, or the negated errno. */
static inline VALUE rb_fiber_scheduler_io_result(ssize_t result, int error)
{
    return result == -1 ? RB_INT2NUM(-error) : RB_LONG2NUM((long)result);
}
static inline ssize_t rb_fiber_scheduler_io_result_apply(VALUE result)
{
    if (RB_FIXNUM_P(result) && RB_FIX2LONG(result) < 0) {
        errno = -(int)RB_FIX2LONG(result);
        return -1;
    }
    return (ssize_t)RB_NUM2LONG(result);
}
VALUE rb_fiber_scheduler_get(void);
VALUE rb_fiber_scheduler_set(VALUE);
VALUE rb_fiber_scheduler_current(void);
VALUE rb_fiber_scheduler_current_for_thread(VALUE);
VALUE rb_fiber_scheduler_make_timeout(struct timeval *);
VALUE rb_fiber_scheduler_close(VALUE);
VALUE rb_fiber_scheduler_kernel_sleep(VALUE, VALUE);
VALUE rb_fiber_scheduler_kernel_sleepv(VALUE, int, VALUE *);
VALUE rb_fiber_scheduler_yield(VALUE);
VALUE rb_fiber_scheduler_timeout_after(VALUE, VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_timeout_afterv(VALUE, int, VALUE *);
int rb_fiber_scheduler_supports_process_wait(VALUE);
VALUE rb_fiber_scheduler_process_wait(VALUE, rb_pid_t, int);
VALUE rb_fiber_scheduler_block(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_unblock(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_io_wait(VALUE, VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_io_wait_readable(VALUE, VALUE);
VALUE rb_fiber_scheduler_io_wait_writable(VALUE, VALUE);
VALUE rb_fiber_scheduler_io_select(VALUE, VALUE, VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_io_selectv(VALUE, int, VALUE *);
VALUE rb_fiber_scheduler_io_read(VALUE, VALUE, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_write(VALUE, VALUE, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_pread(VALUE, VALUE, rb_off_t, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_pwrite(VALUE, VALUE, rb_off_t, VALUE, size_t, size_t);
VALUE rb_fiber_scheduler_io_close(VALUE, VALUE);
VALUE rb_fiber_scheduler_address_resolve(VALUE, VALUE);
VALUE rb_fiber_scheduler_fiber_interrupt(VALUE, VALUE, VALUE);
VALUE rb_fiber_scheduler_fiber(VALUE, int, VALUE *, int);
RUBY_SYMBOL_EXPORT_END
#endif
