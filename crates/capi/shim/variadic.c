/* Functions of as many arguments as the caller likes. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#undef rb_rescue2
#undef rb_intern

void carat_raise(VALUE, VALUE) __attribute__((__noreturn__));
void carat_raise_name_error(ID, VALUE) __attribute__((__noreturn__));
void carat_raise_frozen(VALUE, VALUE) __attribute__((__noreturn__));
void carat_fatal(VALUE) __attribute__((__noreturn__));
void carat_bug(VALUE) __attribute__((__noreturn__));
void carat_warn(VALUE, int);
VALUE carat_funcall(VALUE, ID, int, const VALUE *);
VALUE carat_rescue(VALUE (*)(ANYARGS), VALUE, VALUE (*)(ANYARGS), VALUE, long, const VALUE *);
VALUE carat_struct_define(VALUE, VALUE, VALUE, long, const VALUE *);
long carat_struct_size_of(VALUE);
VALUE carat_data_define(VALUE, long, const VALUE *);
VALUE carat_struct_new(VALUE, long, const VALUE *);
void carat_deprecate_constant(VALUE, const char *);

/* Longest list that ends with 0. */
#define MOST 64
/* Values of which there are so many. */
#define LIST(values, count, last) \
    VALUE values[(count) > 0 ? (count) : 1]; \
    do { va_list list_; va_start(list_, last); for (int i_ = 0; i_ < (count); i_++) values[i_] = va_arg(list_, VALUE); va_end(list_); } while (0)
#define MESSAGE(message, format) VALUE message; do { va_list list_; va_start(list_, format); message = rb_vsprintf((format), list_); va_end(list_); } while (0)

VALUE rb_funcall(VALUE receiver, ID name, int count, ...)
{
    VALUE values[count > 0 ? count : 1];
    va_list list;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        VALUE value = va_arg(list, VALUE);
        values[i] = value ? value : CARAT_INNER_FALSE;
    }
    va_end(list);
    return carat_funcall(receiver, name, count, values);
}

VALUE rb_yield_values(int count, ...)
{
    LIST(values, count, count);
    return rb_yield_values2(count, values);
}

VALUE rb_ary_new_from_args(long count, ...)
{
    LIST(values, count, count);
    return rb_ary_new_from_values(count, values);
}

void rb_raise(VALUE class_, const char *format, ...)
{
    MESSAGE(message, format);
    carat_raise(class_, message);
}

void rb_enc_raise(rb_encoding *encoding, VALUE class_, const char *format, ...)
{
    MESSAGE(message, format);
    rb_enc_associate(message, encoding);
    carat_raise(class_, message);
}

void rb_fatal(const char *format, ...)
{
    MESSAGE(message, format);
    carat_fatal(message);
}

void rb_bug(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "[BUG] ");
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    abort();
}

void rb_loaderror(const char *format, ...)
{
    MESSAGE(message, format);
    carat_raise(rb_eLoadError, message);
}

void rb_name_error(ID name, const char *format, ...)
{
    MESSAGE(message, format);
    carat_raise_name_error(name, message);
}

void rb_frozen_error_raise(VALUE object, const char *format, ...)
{
    MESSAGE(message, format);
    carat_raise_frozen(object, message);
}

void rb_warn(const char *format, ...)
{
    MESSAGE(message, format);
    carat_warn(message, 0);
}

void rb_warning(const char *format, ...)
{
    MESSAGE(message, format);
    carat_warn(message, 1);
}

void rb_sys_warning(const char *format, ...)
{
    MESSAGE(message, format);
    rb_str_catf(message, ": %s", strerror(errno));
    carat_warn(message, 1);
}

void rb_category_warn(rb_warning_category_t category, const char *format, ...)
{
    if (!rb_warning_category_enabled_p(category)) return;
    MESSAGE(message, format);
    carat_warn(message, 0);
}

void rb_category_warning(rb_warning_category_t category, const char *format, ...)
{
    if (!rb_warning_category_enabled_p(category)) return;
    MESSAGE(message, format);
    carat_warn(message, 1);
}

VALUE rb_vrescue2(VALUE (*body)(ANYARGS), VALUE argument, VALUE (*handler)(ANYARGS), VALUE data, va_list list)
{
    VALUE classes[MOST];
    long count = 0;
    while (count < MOST && (classes[count] = va_arg(list, VALUE))) count++;
    return carat_rescue(body, argument, handler, data, count, classes);
}

VALUE rb_rescue2(VALUE (*body)(ANYARGS), VALUE argument, VALUE (*handler)(ANYARGS), VALUE data, ...)
{
    va_list list;
    va_start(list, data);
    VALUE result = rb_vrescue2(body, argument, handler, data, list);
    va_end(list);
    return result;
}

void rb_deprecate_constant(VALUE scope, const char *name, ...)
{
    va_list list;
    va_start(list, name);
    for (; name; name = va_arg(list, const char *)) carat_deprecate_constant(scope, name);
    va_end(list);
}

/* Names of members up to a null. */
static long members(VALUE *symbols, va_list list)
{
    const char *name;
    long count = 0;
    while (count < MOST && (name = va_arg(list, const char *))) symbols[count++] = rb_id2sym(rb_intern(name));
    return count;
}

#define MEMBERS(symbols, count, last) \
    VALUE symbols[MOST]; long count; \
    do { va_list list_; va_start(list_, last); count = members(symbols, list_); va_end(list_); } while (0)

VALUE rb_struct_define(const char *name, ...)
{
    MEMBERS(symbols, count, name);
    return carat_struct_define(0, name ? rb_str_new_cstr(name) : 0, 0, count, symbols);
}

VALUE rb_struct_define_under(VALUE scope, const char *name, ...)
{
    MEMBERS(symbols, count, name);
    return carat_struct_define(scope, rb_str_new_cstr(name), 0, count, symbols);
}

VALUE rb_struct_define_without_accessor(const char *name, VALUE above, rb_alloc_func_t allocate, ...)
{
    MEMBERS(symbols, count, allocate);
    return carat_struct_define(rb_cObject, rb_str_new_cstr(name), above, count, symbols);
}

VALUE rb_struct_define_without_accessor_under(VALUE scope, const char *name, VALUE above, rb_alloc_func_t allocate, ...)
{
    MEMBERS(symbols, count, allocate);
    return carat_struct_define(scope, rb_str_new_cstr(name), above, count, symbols);
}

VALUE rb_data_define(VALUE above, ...)
{
    MEMBERS(symbols, count, above);
    return carat_data_define(above, count, symbols);
}

VALUE rb_struct_new(VALUE class_, ...)
{
    long count = carat_struct_size_of(class_);
    LIST(values, count, class_);
    return carat_struct_new(class_, count, values);
}

/* ---- rb_scan_args ---- */

struct format { int lead, optional, rest, trail, keywords, block; };

static int digit(const char **format)
{
    if (**format < '0' || **format > '9') return 0;
    return *(*format)++ - '0';
}

static struct format read_format(const char *format)
{
    struct format f = {0};
    const char *start = format;
    f.lead = digit(&format);
    if (format > start) {
        const char *before = format;
        f.optional = digit(&format);
        if (format > before && *format >= '0' && *format <= '9' ) f.trail = digit(&format);
    }
    if (*format == '*') {
        f.rest = 1;
        format++;
        if (*format >= '0' && *format <= '9') f.trail = digit(&format);
    }
    if (*format == ':') { f.keywords = 1; format++; }
    if (*format == '&') { f.block = 1; format++; }
    if (*format) rb_fatal("bad scan arg format: %s", start);
    return f;
}

static int scan(int how, int count, const VALUE *values, const char *text, va_list list)
{
    struct format f = read_format(text);
    int given = count, next = 0;
    VALUE hash = Qnil;
    int may_take = how == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS ? rb_keyword_given_p()
        : how == RB_SCAN_ARGS_KEYWORDS ? 1 : how == RB_SCAN_ARGS_LAST_HASH_KEYWORDS && count > 0 && RB_TYPE_P(values[count - 1], T_HASH);
    if (f.keywords && count > 0 && may_take) {
        VALUE last = values[count - 1];
        if (how == RB_SCAN_ARGS_LAST_HASH_KEYWORDS || RB_TYPE_P(last, T_HASH)) {
            hash = rb_hash_dup(rb_convert_type(last, T_HASH, "Hash", "to_hash"));
            count--;
            if (how == RB_SCAN_ARGS_PASS_CALLED_KEYWORDS || how == RB_SCAN_ARGS_KEYWORDS || how == RB_SCAN_ARGS_LAST_HASH_KEYWORDS) given = count;
        }
    }
    int required = f.lead + f.trail;
    if (count < required || (!f.rest && count > required + f.optional))
        rb_error_arity(count, required, f.rest ? UNLIMITED_ARGUMENTS : required + f.optional);
    VALUE *place;
    for (int i = 0; i < f.lead; i++, next++) if ((place = va_arg(list, VALUE *))) *place = values[next];
    for (int i = 0; i < f.optional; i++) {
        place = va_arg(list, VALUE *);
        if (next < count - f.trail) {
            if (place) *place = values[next];
            next++;
        } else if (place) *place = Qnil;
    }
    if (f.rest) {
        int n = count - next - f.trail;
        if (n < 0) n = 0;
        if ((place = va_arg(list, VALUE *))) *place = rb_ary_new_from_values(n, values + next);
        next += n;
    }
    for (int i = 0; i < f.trail; i++, next++) if ((place = va_arg(list, VALUE *))) *place = values[next];
    if (f.keywords && (place = va_arg(list, VALUE *))) *place = hash;
    if (f.block && (place = va_arg(list, VALUE *))) *place = rb_block_given_p() ? rb_block_proc() : Qnil;
    return given;
}

int rb_scan_args(int count, const VALUE *values, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int given = scan(RB_SCAN_ARGS_PASS_CALLED_KEYWORDS, count, values, format, list);
    va_end(list);
    return given;
}

int rb_scan_args_kw(int how, int count, const VALUE *values, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int given = scan(how, count, values, format, list);
    va_end(list);
    return given;
}
