/* What headers do by themselves where they can, and functions that ask no method where the object says it. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/io.h>

/* ---- arguments by a format that the compiler knows ---- */

static VALUE shown(int count, VALUE a, VALUE b, VALUE c, VALUE d) { return rb_ary_new_from_args(5, INT2FIX(count), a, b, c, d); }

static VALUE two_more(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, c = Qtrue, d = Qtrue;
    int count = rb_scan_args(argc, argv, "12", &a, &b, &c);
    return shown(count, a, b, c, d);
}

static VALUE rest_between(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, rest, block;
    int count = rb_scan_args(argc, argv, "1*1&", &a, &rest, &b, &block);
    return shown(count, a, rest, b, block == Qnil ? Qnil : rb_funcall(block, rb_intern("call"), 0));
}

static VALUE optional_between(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, c;
    int count = rb_scan_args(argc, argv, "111", &a, &b, &c);
    return shown(count, a, b, c, Qnil);
}

static VALUE only_rest(int argc, VALUE *argv, VALUE self)
{
    VALUE rest;
    int count = rb_scan_args(argc, argv, "*", &rest);
    return shown(count, rest, Qnil, Qnil, Qnil);
}

static VALUE with_keywords(int argc, VALUE *argv, VALUE self)
{
    VALUE a, keywords;
    int count = rb_scan_args(argc, argv, "01:", &a, &keywords);
    return shown(count, a, keywords, Qnil, Qnil);
}

static VALUE ignored(int argc, VALUE *argv, VALUE self)
{
    VALUE b;
    int count = rb_scan_args(argc, argv, "11", NULL, &b);
    return shown(count, b, Qnil, Qnil, Qnil);
}

static VALUE formatted_later(int argc, VALUE *argv, VALUE self)
{
    const char *volatile format = "02";
    VALUE a, b;
    int count = rb_scan_args(argc, argv, format, &a, &b);
    return shown(count, a, b, Qnil, Qnil);
}

static VALUE none(int argc, VALUE *argv, VALUE self) { return INT2FIX(rb_scan_args(argc, argv, "0")); }

/* ---- bytes, which move when somebody writes ---- */

static VALUE bytes_of(VALUE string) { return rb_str_new(RSTRING_PTR(string), RSTRING_LEN(string)); }

static VALUE after_writes(VALUE self, VALUE string, VALUE more)
{
    VALUE list = rb_ary_new_from_args(1, bytes_of(string));
    rb_str_append(string, more);
    rb_ary_push(list, bytes_of(string));
    rb_ary_push(list, RSTRING_PTR(string)[RSTRING_LEN(string)] == 0 ? Qtrue : Qfalse);
    RSTRING_PTR(string)[0] = 'X';
    rb_ary_push(list, bytes_of(string));
    rb_funcall(string, rb_intern("replace"), 1, rb_str_new_cstr("short"));
    rb_ary_push(list, bytes_of(string));
    rb_ary_push(list, INT2FIX((int)strlen(StringValueCStr(string))));
    rb_ary_push(list, INT2FIX((int)(RSTRING_END(string) - StringValuePtr(string))));
    return list;
}

static VALUE elements_of(VALUE array)
{
    const VALUE *elements = RARRAY_CONST_PTR(array);
    long sum = 0;
    for (long i = 0; i < RARRAY_LEN(array); i++) sum += NUM2LONG(elements[i]);
    return LONG2NUM(sum);
}

static VALUE sums(VALUE self, VALUE array)
{
    VALUE list = rb_ary_new_from_args(1, elements_of(array));
    for (long i = 0; i < 100; i++) rb_ary_push(array, LONG2NUM(i));
    rb_ary_push(list, elements_of(array));
    rb_ary_push(list, rb_ary_shift(array));
    rb_ary_push(list, elements_of(array));
    return list;
}

static VALUE convert(VALUE self, VALUE value)
{
    StringValue(value);
    return value;
}

static VALUE encodings(VALUE self, VALUE value)
{
    return rb_ary_new_from_args(3, rb_str_new_cstr(rb_enc_name(rb_enc_get(value))), rb_enc_get_index(value) == rb_utf8_encindex() ? Qtrue : Qfalse,
        RB_TYPE_P(value, T_STRING) && rb_enc_str_coderange(value) == ENC_CODERANGE_7BIT ? Qtrue : Qfalse);
}

/* ---- numbers ---- */

static VALUE twice(VALUE self, VALUE number) { return DBL2NUM(NUM2DBL(number) * 2); }
static VALUE same_float(VALUE self, VALUE number) { return DBL2NUM(RFLOAT_VALUE(number)); }
static VALUE as_unsigned(VALUE self, VALUE number) { return ULL2NUM(NUM2ULL(number)); }
static VALUE as_signed(VALUE self, VALUE number) { return LL2NUM(NUM2LL(number)); }
static VALUE as_long(VALUE self, VALUE number) { return LONG2NUM(NUM2LONG(number)); }

/* ---- structs and ranges ---- */

static VALUE member(VALUE self, VALUE object, VALUE name) { return rb_struct_getmember(object, SYM2ID(name)); }
static VALUE reference(VALUE self, VALUE object, VALUE index) { return rb_struct_aref(object, index); }
static VALUE assign(VALUE self, VALUE object, VALUE index, VALUE value) { return rb_struct_aset(object, index, value); }
static VALUE size(VALUE self, VALUE object) { return rb_struct_size(object); }
static VALUE make(VALUE self, VALUE klass) { return rb_struct_new(klass, INT2FIX(1), INT2FIX(2)); }

static VALUE range(VALUE self, VALUE value)
{
    VALUE first, last;
    int excludes;
    if (!rb_range_values(value, &first, &last, &excludes)) return Qnil;
    return rb_ary_new_from_args(3, first, last, excludes ? Qtrue : Qfalse);
}

/* ---- objects ---- */

static VALUE freeze(VALUE self, VALUE object) { return rb_obj_freeze(object); }

static VALUE check(VALUE self, VALUE object)
{
    rb_check_frozen(object);
    return object;
}

static VALUE name_of(VALUE self, VALUE klass) { return rb_str_new_cstr(rb_class2name(klass)); }
static VALUE instance(int argc, VALUE *argv, VALUE self) { return rb_class_new_instance(argc - 1, argv + 1, argv[0]); }
static VALUE call(VALUE self, VALUE receiver, VALUE name, VALUE a, VALUE b) { return rb_funcall(receiver, SYM2ID(name), 2, a, b); }

static VALUE formats(VALUE self, VALUE object)
{
    VALUE list = rb_ary_new();
    char large[600];
    memset(large, 'y', sizeof large);
    large[599] = 0;
    rb_ary_push(list, rb_sprintf("%s|%d|%u|%ld|%lu|%%|%c|%x", "text", -12, 34u, LONG_MIN, ULONG_MAX, 'c', 255));
    rb_ary_push(list, rb_sprintf("%5d|%-5d|%05d|%+d|%.2f|%10s|%-10s|%.2s", 1, 2, 3, 4, 1.005, "right", "left", "cut"));
    rb_ary_push(list, rb_sprintf("before %"PRIsVALUE" between %+"PRIsVALUE" after", object, object));
    rb_ary_push(list, LONG2NUM(RSTRING_LEN(rb_sprintf("%s%s%d", large, large, 7))));
    rb_ary_push(list, rb_sprintf("%s", ""));
    return list;
}

static VALUE number_times(RB_BLOCK_CALL_FUNC_ARGLIST(yielded, data)) { return LONG2NUM(NUM2LONG(yielded) * NUM2LONG(rb_ary_entry(data, 0))); }

static VALUE block_calls(VALUE self, VALUE array)
{
    VALUE list = rb_ary_new();
    for (int i = 0; i < 100; i++) {
        VALUE mapped = rb_block_call(array, rb_intern("map"), 0, 0, number_times, rb_ary_new_from_args(1, INT2FIX(i)));
        if (i % 33 == 0) rb_ary_push(list, mapped);
    }
    rb_ary_push(list, rb_funcall(rb_proc_new(number_times, rb_ary_new_from_args(1, INT2FIX(5))), rb_intern("call"), 1, INT2FIX(6)));
    return list;
}

static VALUE encoding_name(rb_encoding *encoding) { return encoding ? rb_str_new_cstr(rb_enc_name(encoding)) : Qnil; }

static VALUE stream_encodings(VALUE self, VALUE options)
{
    rb_encoding *first = NULL, *second = NULL;
    rb_io_mode_t mode = 0;
    int extracted = rb_io_extract_encoding_option(options, &first, &second, &mode);
    return rb_ary_new_from_args(4, INT2FIX(extracted), encoding_name(first), encoding_name(second), mode & FMODE_SETENC_BY_BOM ? Qtrue : Qfalse);
}

void Init_shortcuts(void)
{
    VALUE module = rb_define_module("Shortcuts");
#define DEFINE(name, arity) rb_define_module_function(module, #name, name, arity)
    DEFINE(two_more, -1);
    DEFINE(rest_between, -1);
    DEFINE(optional_between, -1);
    DEFINE(only_rest, -1);
    DEFINE(with_keywords, -1);
    DEFINE(ignored, -1);
    DEFINE(formatted_later, -1);
    DEFINE(none, -1);
    DEFINE(after_writes, 2);
    DEFINE(sums, 1);
    DEFINE(convert, 1);
    DEFINE(encodings, 1);
    DEFINE(twice, 1);
    DEFINE(same_float, 1);
    DEFINE(as_unsigned, 1);
    DEFINE(as_signed, 1);
    DEFINE(as_long, 1);
    DEFINE(member, 2);
    DEFINE(reference, 2);
    DEFINE(assign, 3);
    DEFINE(size, 1);
    DEFINE(make, 1);
    DEFINE(range, 1);
    DEFINE(freeze, 1);
    DEFINE(check, 1);
    DEFINE(name_of, 1);
    DEFINE(instance, -1);
    DEFINE(call, 4);
    DEFINE(formats, 1);
    DEFINE(block_calls, 1);
    DEFINE(stream_encodings, 1);
}
