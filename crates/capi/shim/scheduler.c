/* Fiber schedulers: what C code asks of one are calls of its methods. A method that a scheduler may lack answers undef. */
#include "ruby/ruby.h"
#include "ruby/fiber/scheduler.h"
#include <sys/time.h>
#undef rb_intern

#define COUNT(list) ((int)(sizeof(list) / sizeof(*(list))))
#define CALL(name, ...) do { VALUE list_[] = {__VA_ARGS__}; return rb_funcallv(scheduler, rb_intern(name), COUNT(list_), list_); } while (0)
#define CALL_IF_THERE(name, ...) do { VALUE list_[] = {__VA_ARGS__}; return rb_check_funcall(scheduler, rb_intern(name), COUNT(list_), list_); } while (0)

static VALUE of_fiber_class(const char *name)
{
    return rb_funcallv(rb_path2class("Fiber"), rb_intern(name), 0, 0);
}

VALUE rb_fiber_scheduler_get(void) { return of_fiber_class("scheduler"); }
VALUE rb_fiber_scheduler_current(void) { return of_fiber_class("current_scheduler"); }

VALUE rb_fiber_scheduler_current_for_thread(VALUE thread)
{
    return thread == rb_thread_current() ? rb_fiber_scheduler_current() : Qnil;
}

VALUE rb_fiber_scheduler_set(VALUE scheduler)
{
    return rb_funcallv(rb_path2class("Fiber"), rb_intern("set_scheduler"), 1, &scheduler);
}

VALUE rb_fiber_scheduler_make_timeout(struct timeval *timeout)
{
    return timeout ? rb_float_new((double)timeout->tv_sec + 1e-6 * (double)timeout->tv_usec) : Qnil;
}

VALUE rb_fiber_scheduler_close(VALUE scheduler)
{
    VALUE result = rb_check_funcall(scheduler, rb_intern("scheduler_close"), 0, 0);
    return result == Qundef ? rb_check_funcall(scheduler, rb_intern("close"), 0, 0) : result;
}

VALUE rb_fiber_scheduler_kernel_sleep(VALUE scheduler, VALUE duration) { CALL("kernel_sleep", duration); }

VALUE rb_fiber_scheduler_kernel_sleepv(VALUE scheduler, int count, VALUE *list)
{
    return rb_funcallv(scheduler, rb_intern("kernel_sleep"), count, list);
}

VALUE rb_fiber_scheduler_yield(VALUE scheduler) { return rb_check_funcall(scheduler, rb_intern("yield"), 0, 0); }

VALUE rb_fiber_scheduler_timeout_after(VALUE scheduler, VALUE timeout, VALUE exception, VALUE message)
{
    CALL_IF_THERE("timeout_after", timeout, exception, message);
}

VALUE rb_fiber_scheduler_timeout_afterv(VALUE scheduler, int count, VALUE *list)
{
    return rb_check_funcall(scheduler, rb_intern("timeout_after"), count, list);
}

int rb_fiber_scheduler_supports_process_wait(VALUE scheduler)
{
    return rb_respond_to(scheduler, rb_intern("process_wait"));
}

VALUE rb_fiber_scheduler_process_wait(VALUE scheduler, rb_pid_t pid, int flags)
{
    CALL_IF_THERE("process_wait", INT2NUM(pid), INT2NUM(flags));
}

VALUE rb_fiber_scheduler_block(VALUE scheduler, VALUE blocker, VALUE timeout) { CALL("block", blocker, timeout); }
VALUE rb_fiber_scheduler_unblock(VALUE scheduler, VALUE blocker, VALUE fiber) { CALL("unblock", blocker, fiber); }
VALUE rb_fiber_scheduler_io_wait(VALUE scheduler, VALUE io, VALUE events, VALUE timeout) { CALL("io_wait", io, events, timeout); }

static VALUE wait_for(VALUE scheduler, VALUE io, int events)
{
    return rb_fiber_scheduler_io_wait(scheduler, io, INT2NUM(events), rb_funcallv(io, rb_intern("timeout"), 0, 0));
}

VALUE rb_fiber_scheduler_io_wait_readable(VALUE scheduler, VALUE io) { return wait_for(scheduler, io, 1); }
VALUE rb_fiber_scheduler_io_wait_writable(VALUE scheduler, VALUE io) { return wait_for(scheduler, io, 4); }

VALUE rb_fiber_scheduler_io_select(VALUE scheduler, VALUE readables, VALUE writables, VALUE others, VALUE timeout)
{
    CALL_IF_THERE("io_select", readables, writables, others, timeout);
}

VALUE rb_fiber_scheduler_io_selectv(VALUE scheduler, int count, VALUE *list)
{
    return rb_check_funcall(scheduler, rb_intern("io_select"), count, list);
}

VALUE rb_fiber_scheduler_io_read(VALUE scheduler, VALUE io, VALUE buffer, size_t length, size_t offset)
{
    CALL_IF_THERE("io_read", io, buffer, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_write(VALUE scheduler, VALUE io, VALUE buffer, size_t length, size_t offset)
{
    CALL_IF_THERE("io_write", io, buffer, SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_pread(VALUE scheduler, VALUE io, rb_off_t from, VALUE buffer, size_t length, size_t offset)
{
    CALL_IF_THERE("io_pread", io, buffer, LONG2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_pwrite(VALUE scheduler, VALUE io, rb_off_t from, VALUE buffer, size_t length, size_t offset)
{
    CALL_IF_THERE("io_pwrite", io, buffer, LONG2NUM(from), SIZET2NUM(length), SIZET2NUM(offset));
}

VALUE rb_fiber_scheduler_io_close(VALUE scheduler, VALUE io) { CALL_IF_THERE("io_close", io); }
VALUE rb_fiber_scheduler_address_resolve(VALUE scheduler, VALUE name) { CALL_IF_THERE("address_resolve", name); }

VALUE rb_fiber_scheduler_fiber_interrupt(VALUE scheduler, VALUE fiber, VALUE exception)
{
    CALL_IF_THERE("fiber_interrupt", fiber, exception);
}

VALUE rb_fiber_scheduler_fiber(VALUE scheduler, int count, VALUE *list, int keywords)
{
    return rb_funcall_passing_block_kw(scheduler, rb_intern("fiber"), count, list, keywords);
}
