/* Streams that C code opens by their records, and buffers whose memory it lends or asks for. */
#include <ruby.h>
#include <ruby/io.h>
#include <ruby/io/buffer.h>
#include <ruby/thread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- streams ---- */

static VALUE open_end(VALUE klass, int fd, int mode)
{
    rb_io_t *record;
    VALUE io = rb_obj_alloc(klass);
    MakeOpenFile(io, record);
    record->fd = fd;
    record->mode = mode;
    return io;
}

/* A pipe whose ends are opened by nothing but their records. */
static VALUE make_pipe(VALUE self, VALUE klass)
{
    int ends[2];
    if (rb_pipe(ends)) rb_sys_fail("pipe");
    return rb_assoc_new(open_end(klass, ends[0], FMODE_READABLE), open_end(klass, ends[1], FMODE_WRITABLE | FMODE_SYNC));
}

/* What `open` opened, by name. */
static VALUE open_named(VALUE self, VALUE path, VALUE mode)
{
    const char *name = StringValueCStr(path), *wanted = StringValueCStr(mode);
    int fd = rb_cloexec_open(name, rb_io_modestr_oflags(wanted), 0666);
    if (fd < 0) rb_sys_fail(name);
    rb_io_t *record;
    VALUE io = rb_obj_alloc(rb_cFile);
    MakeOpenFile(io, record);
    record->fd = fd;
    record->mode = rb_io_modestr_fmode(wanted);
    record->pathv = rb_str_new_frozen(path);
    rb_update_max_fd(fd);
    return io;
}

/* The stream gets another descriptor; what it had is closed. */
static VALUE reopen_onto(VALUE self, VALUE io, VALUE other)
{
    int fd = rb_cloexec_dup(rb_io_descriptor(other));
    rb_io_t *record;
    MakeOpenFile(io, record);
    record->fd = fd;
    record->mode = FMODE_READWRITE;
    return io;
}

static VALUE record_of(VALUE self, VALUE io)
{
    rb_io_t *record;
    GetOpenFile(io, record);
    rb_io_check_initialized(record);
    rb_io_check_closed(record);
    int mode = record->mode & (FMODE_READWRITE | FMODE_SYNC);
    return rb_ary_new_from_args(3, record->fd >= 0 ? Qtrue : Qfalse, INT2FIX(mode), record->pathv);
}

static VALUE check_writable(VALUE self, VALUE io)
{
    rb_io_t *record;
    GetOpenFile(io, record);
    rb_io_check_writable(record);
    return Qtrue;
}

static VALUE empty_record(VALUE self)
{
    rb_io_t *record;
    VALUE io = rb_obj_alloc(rb_cIO);
    MakeOpenFile(io, record);
    return rb_ary_new_from_args(4, io, INT2FIX(record->fd), INT2FIX(record->mode), record->pathv);
}

static VALUE modes(VALUE self, VALUE mode)
{
    int flags = rb_io_modestr_oflags(StringValueCStr(mode));
    return rb_assoc_new(INT2FIX(rb_io_modestr_fmode(StringValueCStr(mode))), INT2FIX(rb_io_oflags_fmode(flags)));
}

/* ---- buffers ---- */

static char lent[16];

static VALUE lend(VALUE self, VALUE flags)
{
    memcpy(lent, "lent by C code..", sizeof(lent));
    return rb_io_buffer_new(lent, sizeof(lent), NUM2INT(flags));
}

static VALUE lent_bytes(VALUE self) { return rb_str_new(lent, sizeof(lent)); }

/* Memory that the buffer frees. */
static VALUE give(VALUE self, VALUE size)
{
    char *memory = malloc(NUM2SIZET(size));
    memset(memory, 'g', NUM2SIZET(size));
    return rb_io_buffer_new(memory, NUM2SIZET(size), RB_IO_BUFFER_INTERNAL);
}

static VALUE make(VALUE self, VALUE size)
{
    return rb_io_buffer_new(NULL, NUM2SIZET(size), RB_IO_BUFFER_INTERNAL);
}

static VALUE look(VALUE self, VALUE buffer)
{
    void *base;
    size_t size;
    int flags = rb_io_buffer_get_bytes(buffer, &base, &size);
    return rb_ary_new_from_args(3, base ? Qtrue : Qfalse, SIZET2NUM(size), INT2FIX(flags));
}

static VALUE read_bytes(VALUE self, VALUE buffer)
{
    const void *base;
    size_t size;
    rb_io_buffer_get_bytes_for_reading(buffer, &base, &size);
    return rb_str_new(base, size);
}

static VALUE fill(VALUE self, VALUE buffer, VALUE byte)
{
    void *base;
    size_t size;
    rb_io_buffer_get_bytes_for_writing(buffer, &base, &size);
    memset(base, NUM2INT(byte), size);
    return buffer;
}

static VALUE lock(VALUE self, VALUE buffer) { return rb_io_buffer_lock(buffer); }
static VALUE unlock(VALUE self, VALUE buffer) { return rb_io_buffer_unlock(buffer); }
static VALUE try_unlock(VALUE self, VALUE buffer) { return INT2FIX(rb_io_buffer_try_unlock(buffer)); }
static VALUE free_buffer(VALUE self, VALUE buffer) { return rb_io_buffer_free(buffer); }
static VALUE free_locked(VALUE self, VALUE buffer) { return rb_io_buffer_free_locked(buffer); }
static VALUE transfer(VALUE self, VALUE buffer) { return rb_io_buffer_transfer(buffer); }

static VALUE resize(VALUE self, VALUE buffer, VALUE size)
{
    rb_io_buffer_resize(buffer, NUM2SIZET(size));
    return buffer;
}

static VALUE clear(VALUE self, VALUE buffer, VALUE byte, VALUE offset, VALUE length)
{
    rb_io_buffer_clear(buffer, NUM2INT(byte), NUM2SIZET(offset), NUM2SIZET(length));
    return buffer;
}

static VALUE map(VALUE self, VALUE io, VALUE size)
{
    return rb_io_buffer_map(io, NUM2SIZET(size), 0, 0);
}

static VALUE move(VALUE self, VALUE buffer, VALUE io, VALUE length)
{
    VALUE written = rb_io_buffer_pwrite(buffer, io, 2, NUM2SIZET(length), 0);
    VALUE read = rb_io_buffer_pread(buffer, io, 0, NUM2SIZET(length), 0);
    VALUE ends = rb_io_buffer_write(buffer, io, NUM2SIZET(length), 0);
    rb_funcall(io, rb_intern("seek"), 1, INT2FIX(0));
    return rb_ary_new_from_args(4, written, read, ends, rb_io_buffer_read(buffer, io, NUM2SIZET(length), 0));
}

static VALUE sizes(VALUE self)
{
    return rb_assoc_new(SIZET2NUM(RUBY_IO_BUFFER_PAGE_SIZE), SIZET2NUM(RUBY_IO_BUFFER_DEFAULT_SIZE));
}

/* ---- calls whose arguments the compiler counts ---- */

static VALUE counted(VALUE self, VALUE object)
{
    ID list = rb_intern("list");
    int count = (int)RARRAY_LEN(rb_ary_new());
    VALUE none = rb_funcall(object, list, 0), one = rb_funcall(object, list, 1, Qfalse);
    VALUE nested = rb_funcall(object, list, 2, rb_funcall(object, list, 1, INT2FIX(1)), Qnil);
    VALUE (*variadic)(VALUE, ID, int, ...) = rb_funcall;
    VALUE by_pointer = variadic(object, list, 2, Qfalse, Qtrue);
    return rb_ary_new_from_args(5, none, one, nested, by_pointer, rb_funcall(object, list, count));
}

static VALUE yield_counted(VALUE self)
{
    return rb_ary_new_from_args(3, rb_yield_values(0), rb_yield_values(1, Qfalse), rb_yield_values(3, INT2FIX(1), Qfalse, Qnil));
}

/* ---- members by number ---- */

static VALUE member(VALUE self, VALUE value, VALUE index) { return rb_struct_aref(value, index); }

static VALUE class_text(VALUE self, VALUE klass) { return rb_str_new_cstr(rb_class2name(klass)); }

static VALUE freeze(VALUE self, VALUE object)
{
    rb_obj_freeze(object);
    return rb_obj_freeze(object);
}

/* A profiler's signals: each interrupts what waits. */
static void take_alarm(int number) { (void)number; }
static VALUE stop_alarms(VALUE unused)
{
    struct itimerval never = {{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &never, NULL);
    return Qnil;
}
static VALUE under_alarms(VALUE self)
{
    struct sigaction action = {.sa_handler = take_alarm, .sa_flags = SA_RESTART};
    struct itimerval often = {{0, 5000}, {0, 5000}};
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    return rb_ensure(rb_yield, Qnil, stop_alarms, Qnil);
}
static VALUE wait_for(VALUE self, VALUE descriptor, VALUE seconds)
{
    struct timeval limit = rb_time_interval(seconds);
    return INT2NUM(rb_wait_for_single_fd(NUM2INT(descriptor), RB_WAITFD_IN, &limit));
}

void Init_streams(void)
{
    rb_define_module_function(rb_define_module("Alarms"), "under", under_alarms, 0);
    rb_define_module_function(rb_define_module("Alarms"), "wait_for", wait_for, 2);
    VALUE streams = rb_define_module("Streams");
#define FUNCTION(name, count) rb_define_singleton_method(streams, #name, name, count)
    FUNCTION(make_pipe, 1);
    FUNCTION(open_named, 2);
    FUNCTION(reopen_onto, 2);
    FUNCTION(record_of, 1);
    FUNCTION(check_writable, 1);
    FUNCTION(empty_record, 0);
    FUNCTION(modes, 1);
    FUNCTION(lend, 1);
    FUNCTION(lent_bytes, 0);
    FUNCTION(give, 1);
    FUNCTION(make, 1);
    FUNCTION(look, 1);
    FUNCTION(read_bytes, 1);
    FUNCTION(fill, 2);
    FUNCTION(lock, 1);
    FUNCTION(unlock, 1);
    FUNCTION(try_unlock, 1);
    FUNCTION(free_buffer, 1);
    FUNCTION(free_locked, 1);
    FUNCTION(transfer, 1);
    FUNCTION(resize, 2);
    FUNCTION(clear, 4);
    FUNCTION(map, 2);
    FUNCTION(move, 3);
    FUNCTION(sizes, 0);
    FUNCTION(counted, 1);
    FUNCTION(yield_counted, 0);
    FUNCTION(member, 2);
    FUNCTION(class_text, 1);
    FUNCTION(freeze, 1);
}
