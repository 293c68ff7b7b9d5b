/* Transcoding: an `rb_econv_t` is an Encoding::Converter, which lives until it is closed. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#undef rb_intern

struct rb_econv_t {
    VALUE converter;
};

static rb_econv_t *wrap(VALUE converter)
{
    rb_econv_t *opened = ALLOC(rb_econv_t);
    opened->converter = converter;
    rb_gc_register_address(&opened->converter);
    return opened;
}

struct opening {
    const char *from, *to;
    int flags;
    VALUE options;
};

/* Flags become what `Encoding::Converter.new` takes. */
static VALUE new_converter(VALUE argument)
{
    struct opening *o = (struct opening *)argument;
    VALUE list[] = {rb_str_new_cstr(o->from), rb_str_new_cstr(o->to), NIL_P(o->options) ? rb_hash_new() : rb_hash_dup(o->options)};
    const struct { int mask, value; const char *name, *option; } known[] = {
        {RUBY_ECONV_INVALID_MASK, RUBY_ECONV_INVALID_REPLACE, "invalid", "replace"},
        {RUBY_ECONV_UNDEF_MASK, RUBY_ECONV_UNDEF_REPLACE, "undef", "replace"},
        {RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR, RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR, "newline", "universal"},
        {RUBY_ECONV_CRLF_NEWLINE_DECORATOR, RUBY_ECONV_CRLF_NEWLINE_DECORATOR, "newline", "crlf"},
        {RUBY_ECONV_CR_NEWLINE_DECORATOR, RUBY_ECONV_CR_NEWLINE_DECORATOR, "newline", "cr"},
        {RUBY_ECONV_LF_NEWLINE_DECORATOR, RUBY_ECONV_LF_NEWLINE_DECORATOR, "newline", "lf"},
        {RUBY_ECONV_XML_TEXT_DECORATOR, RUBY_ECONV_XML_TEXT_DECORATOR, "xml", "text"},
        {RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR, RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR, "xml", "attr"},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        if ((o->flags & known[i].mask) != known[i].value) continue;
        rb_hash_aset(list[2], ID2SYM(rb_intern(known[i].name)), ID2SYM(rb_intern(known[i].option)));
    }
    return rb_class_new_instance_kw(3, list, rb_path2class("Encoding::Converter"), RB_PASS_KEYWORDS);
}

static rb_econv_t *open_with(const char *from, const char *to, int flags, VALUE options)
{
    struct opening o = {from, to, flags, options};
    int state = 0;
    VALUE converter = rb_protect(new_converter, (VALUE)&o, &state);
    if (state) {
        rb_set_errinfo(Qnil);
        return 0;
    }
    return wrap(converter);
}

rb_econv_t *rb_econv_open(const char *from, const char *to, int flags) { return open_with(from, to, flags, Qnil); }

rb_econv_t *rb_econv_open_opts(const char *from, const char *to, int flags, VALUE options)
{
    return open_with(from, to, flags, options);
}

/* The options that concern converters, frozen, and none of the flags: `rb_econv_open_opts` looks at the options itself. */
int rb_econv_prepare_options(VALUE options, VALUE *prepared, int flags)
{
    *prepared = NIL_P(options) ? Qnil : rb_obj_freeze(rb_hash_dup(options));
    return flags;
}

int rb_econv_prepare_opts(VALUE options, VALUE *prepared) { return rb_econv_prepare_options(options, prepared, 0); }

void rb_econv_close(rb_econv_t *opened)
{
    if (!opened) return;
    rb_gc_unregister_address(&opened->converter);
    xfree(opened);
}

static VALUE convert_option(int flags)
{
    VALUE options = rb_hash_new();
    if (flags & RUBY_ECONV_PARTIAL_INPUT) rb_hash_aset(options, ID2SYM(rb_intern("partial_input")), Qtrue);
    if (flags & RUBY_ECONV_AFTER_OUTPUT) rb_hash_aset(options, ID2SYM(rb_intern("after_output")), Qtrue);
    return options;
}

static rb_econv_result_t result_of(VALUE symbol)
{
    const struct { const char *name; rb_econv_result_t result; } known[] = {
        {"invalid_byte_sequence", econv_invalid_byte_sequence}, {"undefined_conversion", econv_undefined_conversion},
        {"destination_buffer_full", econv_destination_buffer_full}, {"source_buffer_empty", econv_source_buffer_empty},
        {"after_output", econv_after_output}, {"incomplete_input", econv_incomplete_input},
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        if (symbol == ID2SYM(rb_intern(known[i].name))) return known[i].result;
    }
    return econv_finished;
}

rb_econv_result_t rb_econv_convert(rb_econv_t *opened, const unsigned char **from, const unsigned char *from_end,
                                   unsigned char **to, unsigned char *to_end, int flags)
{
    VALUE source = rb_str_new((const char *)*from, from_end - *from), target = rb_str_new(0, 0);
    long given = RSTRING_LEN(source), written;
    VALUE list[] = {source, target, Qnil, LONG2NUM(to_end - *to), convert_option(flags)};
    VALUE answer = rb_funcallv_kw(opened->converter, rb_intern("primitive_convert"), 5, list, RB_PASS_KEYWORDS);
    written = RSTRING_LEN(target);
    if (written > to_end - *to) rb_raise(rb_eRuntimeError, "a converter wrote more than it was asked for");
    memcpy(*to, RSTRING_PTR(target), written);
    *from += given - RSTRING_LEN(source);
    *to += written;
    RB_GC_GUARD(target);
    return result_of(answer);
}

void rb_econv_check_error(rb_econv_t *opened)
{
    VALUE error = rb_funcallv(opened->converter, rb_intern("last_error"), 0, 0);
    if (!NIL_P(error)) rb_exc_raise(error);
}

VALUE rb_econv_make_exception(rb_econv_t *opened)
{
    return rb_funcallv(opened->converter, rb_intern("last_error"), 0, 0);
}

VALUE rb_econv_str_convert(rb_econv_t *opened, VALUE source, int flags)
{
    VALUE target = rb_str_new(0, 0);
    VALUE list[] = {rb_str_dup(source), target, Qnil, Qnil, convert_option(flags)};
    VALUE answer = rb_funcallv_kw(opened->converter, rb_intern("primitive_convert"), 5, list, RB_PASS_KEYWORDS);
    rb_econv_result_t result = result_of(answer);
    if (result == econv_invalid_byte_sequence || result == econv_undefined_conversion || result == econv_incomplete_input) {
        rb_econv_check_error(opened);
    }
    return target;
}

VALUE rb_econv_substr_convert(rb_econv_t *opened, VALUE source, long first, long len, int flags)
{
    return rb_econv_str_convert(opened, rb_str_subseq(source, first, len), flags);
}

VALUE rb_econv_append(rb_econv_t *opened, const char *bytes, long len, VALUE target, int flags)
{
    VALUE converted = rb_econv_str_convert(opened, rb_str_new(bytes, len), flags);
    return rb_str_buf_append(target, converted);
}

VALUE rb_econv_str_append(rb_econv_t *opened, VALUE source, VALUE target, int flags)
{
    return rb_str_buf_append(target, rb_econv_str_convert(opened, source, flags));
}

VALUE rb_econv_substr_append(rb_econv_t *opened, VALUE source, long first, long len, VALUE target, int flags)
{
    return rb_str_buf_append(target, rb_econv_substr_convert(opened, source, first, len, flags));
}

VALUE rb_econv_open_exc(const char *from, const char *to, int flags)
{
    (void)flags;
    VALUE message = rb_sprintf("code converter not found (%s to %s)", from, to);
    return rb_exc_new_str(rb_path2class("Encoding::ConverterNotFoundError"), message);
}
