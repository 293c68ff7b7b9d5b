/* Views of memory, converters and fiber schedulers. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/memory_view.h>
#include <ruby/fiber/scheduler.h>

/* ---- a class that lends its bytes as a matrix of doubles, 2 by 3 ---- */

static double matrix[6] = {1, 2, 3, 4, 5, 6};
static const ssize_t shape[2] = {2, 3};
static ssize_t strides[2];
static int released;

static bool matrix_available(VALUE object) { return true; }

static bool matrix_get(VALUE object, rb_memory_view_t *view, int flags)
{
    if (flags & RUBY_MEMORY_VIEW_WRITABLE) return false;
    rb_memory_view_fill_contiguous_strides(2, sizeof(double), shape, true, strides);
    *view = (rb_memory_view_t){.obj = object, .data = matrix, .byte_size = sizeof(matrix), .readonly = true, .format = "d",
        .item_size = sizeof(double), .ndim = 2, .shape = shape, .strides = strides};
    return true;
}

static bool matrix_release(VALUE object, rb_memory_view_t *view)
{
    released++;
    return true;
}

static const rb_memory_view_entry_t matrix_entry = {matrix_get, matrix_release, matrix_available};

static VALUE see(VALUE self, VALUE object, VALUE row, VALUE column)
{
    rb_memory_view_t view;
    ssize_t indices[2] = {NUM2LONG(row), NUM2LONG(column)};
    if (!rb_memory_view_available_p(object)) return Qnil;
    if (rb_memory_view_get(object, &view, RUBY_MEMORY_VIEW_WRITABLE)) return Qfalse;
    if (!rb_memory_view_get(object, &view, RUBY_MEMORY_VIEW_SIMPLE)) return Qfalse;
    VALUE found = rb_memory_view_get_item(&view, indices);
    VALUE list = rb_ary_new_from_args(3, found, rb_memory_view_is_row_major_contiguous(&view) ? Qtrue : Qfalse,
        rb_memory_view_is_column_major_contiguous(&view) ? Qtrue : Qfalse);
    rb_memory_view_release(&view);
    rb_ary_push(list, INT2NUM(released));
    return list;
}

static VALUE parse(VALUE self, VALUE format)
{
    rb_memory_view_item_component_t *members = 0;
    size_t count = 0;
    const char *error = 0, *text = StringValueCStr(format);
    ssize_t size = rb_memory_view_parse_item_format(text, &members, &count, &error);
    if (size < 0) return rb_str_new_cstr(error);
    VALUE list = rb_ary_new_from_args(1, LONG2NUM(size));
    for (size_t i = 0; i < count; i++) {
        rb_ary_push(list, rb_sprintf("%c %d %d %d", members[i].format, (int)members[i].offset, (int)members[i].size, (int)members[i].repeat));
    }
    xfree(members);
    return list;
}

static VALUE extract(VALUE self, VALUE format, VALUE bytes)
{
    rb_memory_view_item_component_t *members = 0;
    size_t count = 0;
    const char *error = 0;
    rb_memory_view_parse_item_format(StringValueCStr(format), &members, &count, &error);
    VALUE found = rb_memory_view_extract_item_members(RSTRING_PTR(bytes), members, count);
    xfree(members);
    return found;
}

/* ---- converters ---- */

static VALUE convert(VALUE self, VALUE from, VALUE to, VALUE text, VALUE flags)
{
    rb_econv_t *opened = rb_econv_open(StringValueCStr(from), StringValueCStr(to), NUM2INT(flags));
    if (!opened) return Qnil;
    unsigned char target[8], *write = target;
    const unsigned char *read = (const unsigned char *)RSTRING_PTR(text), *end = read + RSTRING_LEN(text);
    rb_econv_result_t result = rb_econv_convert(opened, &read, end, &write, target + sizeof(target), 0);
    VALUE list = rb_ary_new_from_args(3, INT2NUM(result), LONG2NUM(end - read), rb_str_new((char *)target, write - target));
    rb_econv_close(opened);
    return list;
}

static VALUE convert_whole(VALUE self, VALUE from, VALUE to, VALUE text, VALUE options)
{
    VALUE prepared;
    int flags = rb_econv_prepare_opts(options, &prepared);
    rb_econv_t *opened = rb_econv_open_opts(StringValueCStr(from), StringValueCStr(to), flags, prepared);
    if (!opened) return Qnil;
    VALUE converted = rb_econv_str_convert(opened, text, 0);
    rb_econv_close(opened);
    return converted;
}

/* ---- schedulers ---- */

static VALUE ask(VALUE self)
{
    VALUE scheduler = rb_fiber_scheduler_current();
    if (NIL_P(scheduler)) return Qnil;
    rb_fiber_scheduler_kernel_sleep(scheduler, rb_float_new(0.001));
    struct timeval time = {2, 500000};
    VALUE missing = rb_fiber_scheduler_address_resolve(scheduler, rb_str_new_cstr("name"));
    return rb_ary_new_from_args(4, rb_fiber_scheduler_get() == scheduler ? Qtrue : Qfalse, rb_fiber_scheduler_make_timeout(&time),
        missing == Qundef ? Qtrue : Qfalse, rb_fiber_scheduler_io_result(-1, 4));
}

/* More arguments than a fixed array would hold. */
static VALUE call_many(VALUE self, VALUE receiver)
{
#define TEN INT2FIX(0), INT2FIX(1), INT2FIX(2), INT2FIX(3), INT2FIX(4), INT2FIX(5), INT2FIX(6), INT2FIX(7), INT2FIX(8), INT2FIX(9)
    return rb_funcall(receiver, rb_intern("many"), 80, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN);
}

void Init_views(void)
{
    VALUE views = rb_define_module("Views");
    rb_define_singleton_method(views, "see", see, 3);
    rb_define_singleton_method(views, "parse", parse, 1);
    rb_define_singleton_method(views, "extract", extract, 2);
    rb_define_singleton_method(views, "convert", convert, 4);
    rb_define_singleton_method(views, "convert_whole", convert_whole, 4);
    rb_define_singleton_method(views, "ask", ask, 0);
    rb_define_singleton_method(views, "call_many", call_many, 1);
    VALUE lender = rb_define_class_under(views, "Matrix", rb_cObject);
    rb_memory_view_register(lender, &matrix_entry);
}
