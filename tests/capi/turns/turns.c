/* What C code is told of threads and their turns, and what it keeps for each. */
#include <ruby.h>
#include <ruby/thread.h>
#include <ruby/atomic.h>
#include <ruby/io.h>
#include <errno.h>

static rb_atomic_t seen[5];
static rb_internal_thread_event_hook_t *hook;
static rb_internal_thread_specific_key_t key;

static void note(rb_event_flag_t event, const rb_internal_thread_event_data_t *data, void *user)
{
    for (int i = 0; i < 5; i++) {
        if (event == 1u << i) RUBY_ATOMIC_FETCH_ADD(((rb_atomic_t *)user)[i], 1);
    }
    if (event == RUBY_INTERNAL_THREAD_EVENT_STARTED) rb_internal_thread_specific_set(data->thread, key, user);
}

static VALUE watch(VALUE self)
{
    hook = rb_internal_thread_add_event_hook(note, RUBY_INTERNAL_THREAD_EVENT_MASK, seen);
    return Qnil;
}

static VALUE unwatch(VALUE self)
{
    return rb_internal_thread_remove_event_hook(hook) ? Qtrue : Qfalse;
}

/* Which events came since the last question. */
static VALUE came(VALUE self)
{
    VALUE list = rb_ary_new();
    for (int i = 0; i < 5; i++) rb_ary_push(list, UINT2NUM(RUBY_ATOMIC_EXCHANGE(seen[i], 0)));
    return list;
}

static VALUE kept(VALUE self, VALUE thread)
{
    return rb_internal_thread_specific_get(thread, key) == seen ? Qtrue : Qfalse;
}

static VALUE keep(VALUE self, VALUE thread, VALUE is_kept)
{
    rb_internal_thread_specific_set(thread, key, RTEST(is_kept) ? seen : NULL);
    return Qnil;
}

static VALUE more_keys(VALUE self, VALUE count)
{
    for (int i = 0; i < NUM2INT(count); i++) rb_internal_thread_specific_key_create();
    return Qnil;
}

/* Waits as long as the stream's own timeout says. */
static VALUE wait_readable(VALUE self, VALUE io)
{
    return INT2NUM(rb_io_maybe_wait_readable(EAGAIN, io, RUBY_IO_TIMEOUT_DEFAULT));
}

static VALUE wait_(VALUE self, VALUE io, VALUE timeout)
{
    return rb_io_wait(io, INT2NUM(RUBY_IO_READABLE), timeout);
}

void Init_turns(void)
{
    key = rb_internal_thread_specific_key_create();
    VALUE turns = rb_define_module("Turns");
    rb_define_module_function(turns, "watch", watch, 0);
    rb_define_module_function(turns, "unwatch", unwatch, 0);
    rb_define_module_function(turns, "came", came, 0);
    rb_define_module_function(turns, "kept?", kept, 1);
    rb_define_module_function(turns, "keep", keep, 2);
    rb_define_module_function(turns, "more_keys", more_keys, 1);
    rb_define_module_function(turns, "wait_readable", wait_readable, 1);
    rb_define_module_function(turns, "wait", wait_, 2);
}
