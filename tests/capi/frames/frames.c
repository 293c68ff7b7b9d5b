/* Frames as debuggers and profilers see them, and jobs that are put off. */
#include <ruby.h>
#include <ruby/debug.h>
#include <signal.h>
#include <pthread.h>

/* ---- the debug inspector ---- */

static VALUE look(const rb_debug_inspector_t *inspector, void *data)
{
    VALUE locations = rb_debug_inspector_backtrace_locations(inspector), rows = rb_ary_new();
    for (long i = 0; i < RARRAY_LEN(locations); i++) {
        VALUE row = rb_ary_new();
        rb_ary_push(row, rb_ary_entry(locations, i));
        rb_ary_push(row, rb_debug_inspector_frame_self_get(inspector, i));
        rb_ary_push(row, rb_debug_inspector_frame_class_get(inspector, i));
        rb_ary_push(row, rb_debug_inspector_frame_binding_get(inspector, i));
        rb_ary_push(row, rb_debug_inspector_frame_iseq_get(inspector, i));
        rb_ary_push(rows, row);
    }
    return rb_yield(rows);
}

static VALUE each_frame(VALUE self) { return rb_debug_inspector_open(look, 0); }

static VALUE look_too_far(const rb_debug_inspector_t *inspector, void *data)
{
    return rb_debug_inspector_frame_self_get(inspector, 1000);
}

static VALUE no_frame(VALUE self) { return rb_debug_inspector_open(look_too_far, 0); }

/* ---- profilers ---- */

#define MOST 50

static VALUE sampled(VALUE self, VALUE start, VALUE limit)
{
    VALUE frames[MOST], rows = rb_ary_new();
    int lines[MOST], count = rb_profile_frames(NUM2INT(start), NUM2INT(limit), frames, lines);
    for (int i = 0; i < count; i++) {
        rb_ary_push(rows, rb_ary_new_from_args(6, rb_profile_frame_full_label(frames[i]), rb_profile_frame_label(frames[i]),
            rb_profile_frame_method_name(frames[i]), rb_profile_frame_classpath(frames[i]),
            rb_profile_frame_singleton_method_p(frames[i]), INT2NUM(lines[i])));
    }
    return rows;
}

/* What a handler finds while Ruby code runs: frames, or none, and no more than it asked for. */
static volatile int handled, found_at_most;

static void handler(int number)
{
    VALUE frames[MOST];
    int lines[MOST], count = rb_profile_frames(0, MOST, frames, lines);
    if (count > found_at_most) found_at_most = count;
    handled++;
}

static VALUE handle(VALUE self)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGPROF, &action, 0);
    return Qnil;
}

static VALUE count_handled(VALUE self) { return INT2NUM(handled); }

/* ---- jobs ---- */

static rb_postponed_job_handle_t job;
static volatile int runs;

static void run_job(void *data)
{
    runs += *(int *)data;
    rb_funcall(rb_cObject, rb_intern("job_ran"), 0);
}

static void run_raising(void *data) { rb_raise(rb_eRuntimeError, "from a job"); }

static int step = 3;

static VALUE prepare(VALUE self)
{
    job = rb_postponed_job_preregister(0, run_job, &step);
    return job == POSTPONED_JOB_HANDLE_INVALID ? Qfalse : Qtrue;
}

static void trigger_in_handler(int number) { rb_postponed_job_trigger(job); }

static VALUE trigger(VALUE self)
{
    signal(SIGUSR2, trigger_in_handler);
    raise(SIGUSR2);
    return INT2NUM(runs);
}

static VALUE put_off_raising(VALUE self)
{
    rb_postponed_job_trigger(rb_postponed_job_preregister(0, run_raising, 0));
    return Qtrue;
}

static VALUE count_runs(VALUE self) { return INT2NUM(runs); }

void Init_frames(void)
{
    VALUE frames = rb_define_module("Frames");
    rb_define_singleton_method(frames, "each_frame", each_frame, 0);
    rb_define_singleton_method(frames, "no_frame", no_frame, 0);
    rb_define_singleton_method(frames, "sampled", sampled, 2);
    rb_define_singleton_method(frames, "handle", handle, 0);
    rb_define_singleton_method(frames, "handled", count_handled, 0);
    rb_define_singleton_method(frames, "prepare", prepare, 0);
    rb_define_singleton_method(frames, "trigger", trigger, 0);
    rb_define_singleton_method(frames, "put_off_raising", put_off_raising, 0);
    rb_define_singleton_method(frames, "runs", count_runs, 0);
}
