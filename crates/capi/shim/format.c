/* Formats: those of the C library, and PRIsVALUE for a value's to_s, or with "+" for its inspect. */
#include "ruby/ruby.h"
#include "ruby/encoding.h"

/* One conversion of a format: flags, width, precision, length. */
struct conversion {
    char text[64];
    size_t used;
    int is_plus, is_minus, has_width, has_precision, width, precision;
    char length[3];
};

static void add(struct conversion *c, char ch)
{
    if (c->used + 1 < sizeof c->text) c->text[c->used++] = ch;
    c->text[c->used] = 0;
}

/* A number of the format, or one of the arguments for "*". */
static int number(struct conversion *c, const char **p, va_list *list)
{
    int n = 0;
    if (**p == '*') {
        (*p)++;
        n = va_arg(*list, int);
        char digits[16];
        snprintf(digits, sizeof digits, "%d", n);
        for (char *d = digits; *d; d++) add(c, *d);
        return n;
    }
    while (**p >= '0' && **p <= '9') {
        n = n * 10 + (**p - '0');
        add(c, *(*p)++);
    }
    return n;
}

/* What is going to be appended to a string, together: each call to append costs more than most pieces. */
struct output {
    VALUE string;
    size_t used;
    char bytes[240];
};

static void flush(struct output *o)
{
    if (o->used) rb_str_cat(o->string, o->bytes, (long)o->used);
    o->used = 0;
}

static void put(struct output *o, const char *bytes, size_t length)
{
    if (length > sizeof o->bytes - o->used) flush(o);
    if (length > sizeof o->bytes) {
        rb_str_cat(o->string, bytes, (long)length);
        return;
    }
    memcpy(o->bytes + o->used, bytes, length);
    o->used += length;
}

static void pad(struct output *o, long count)
{
    for (long i = 0; i < count; i++) put(o, " ", 1);
}

static void show_value(struct output *o, struct conversion *c, VALUE value)
{
    VALUE text = c->is_plus ? rb_inspect(value) : rb_obj_as_string(value);
    long length = RSTRING_LEN(text);
    if (c->has_precision && c->precision < length) {
        text = rb_str_substr(text, 0, c->precision);
        length = RSTRING_LEN(text);
    }
    long padding = c->has_width ? labs((long)c->width) - length : 0;
    if (!c->is_minus) pad(o, padding);
    flush(o);
    rb_str_append(o->string, text);
    if (c->is_minus) pad(o, padding);
}

#define SHOW(value) do { \
    int n_ = snprintf(room, sizeof room, c.text, value); \
    if (n_ < (int)sizeof room) { put(&o, room, (size_t)n_); break; } \
    char *more_ = (char *)malloc((size_t)n_ + 1); \
    if (!more_) rb_memerror(); \
    snprintf(more_, (size_t)n_ + 1, c.text, value); \
    put(&o, more_, (size_t)n_); \
    free(more_); \
} while (0)

static void show_text(struct output *o, struct conversion *c, const char *text)
{
    if (!text) text = "(null)";
    long length = c->has_precision ? (long)strnlen(text, (size_t)c->precision) : (long)strlen(text);
    long padding = c->has_width ? labs((long)c->width) - length : 0;
    if (!c->is_minus) pad(o, padding);
    put(o, text, (size_t)length);
    if (c->is_minus) pad(o, padding);
}

/* The digits of a number that nothing is said about. */
static void show_digits(struct output *o, unsigned long number, int is_negative)
{
    char digits[24], *first = digits + sizeof digits;
    do *--first = (char)('0' + number % 10); while (number /= 10);
    if (is_negative) *--first = '-';
    put(o, first, (size_t)(digits + sizeof digits - first));
}

static void show_signed(struct output *o, long number)
{
    show_digits(o, number < 0 ? -(unsigned long)number : (unsigned long)number, number < 0);
}

VALUE rb_str_vcatf(VALUE to, const char *p, va_list given)
{
    char room[512];
    va_list list;
    va_copy(list, given);
    StringValue(to);
    struct output o;
    o.string = to;
    o.used = 0;
    while (*p) {
        const char *plain = p;
        while (*p && *p != '%') p++;
        if (p > plain) put(&o, plain, (size_t)(p - plain));
        if (!*p) break;
        if (p[1] == 's') {
            struct conversion none = {.used = 0};
            show_text(&o, &none, va_arg(list, const char *));
            p += 2;
            continue;
        }
        if (p[1] == 'd' || p[1] == 'u') {
            if (p[1] == 'd') show_signed(&o, va_arg(list, int)); else show_digits(&o, va_arg(list, unsigned int), 0);
            p += 2;
            continue;
        }
        if (p[1] == 'l' && (p[2] == 'd' || p[2] == 'u')) {
            if (p[2] == 'd') show_signed(&o, va_arg(list, long)); else show_digits(&o, va_arg(list, unsigned long), 0);
            p += 3;
            continue;
        }
        struct conversion c = {{0}, 0, 0, 0, 0, 0, 0, 0, {0}};
        add(&c, *p++);
        for (; *p && strchr("-+ #0'", *p); p++) {
            if (*p == '+') c.is_plus = 1;
            if (*p == '-') c.is_minus = 1;
            add(&c, *p);
        }
        if (*p == '*' || (*p >= '0' && *p <= '9')) {
            c.has_width = 1;
            c.width = number(&c, &p, &list);
            if (c.width < 0) c.is_minus = 1;
        }
        if (*p == '.') {
            add(&c, *p++);
            c.has_precision = 1;
            c.precision = number(&c, &p, &list);
            if (c.precision < 0) c.has_precision = 0;
        }
        for (int i = 0; *p && strchr("hlqjztL", *p) && i < 2; i++) {
            c.length[i] = *p;
            add(&c, *p++);
        }
        char kind = *p;
        if (!kind) break;
        p++;
        add(&c, kind);
        int is_long = c.length[0] == 'l' || c.length[0] == 'j' || c.length[0] == 'z' || c.length[0] == 't' || c.length[0] == 'q';
        switch (kind) {
          case '%': put(&o, "%", 1); break;
          case 'i': case 'd':
            if (kind == 'i' && is_long && *p == '\v') {
                p++;
                show_value(&o, &c, va_arg(list, VALUE));
                break;
            }
            if (is_long) SHOW(va_arg(list, long)); else SHOW(va_arg(list, int));
            break;
          case 'o': case 'u': case 'x': case 'X':
            if (is_long) SHOW(va_arg(list, unsigned long)); else SHOW(va_arg(list, unsigned int));
            break;
          case 'c': {
            int character = va_arg(list, int);
            SHOW(character);
            break;
          }
          case 's': show_text(&o, &c, va_arg(list, const char *)); break;
          case 'p': SHOW(va_arg(list, void *)); break;
          case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
            if (c.length[0] == 'L') SHOW(va_arg(list, long double)); else SHOW(va_arg(list, double));
            break;
          default: put(&o, c.text, c.used);
        }
    }
    va_end(list);
    flush(&o);
    return to;
}

VALUE rb_str_catf(VALUE to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    rb_str_vcatf(to, format, list);
    va_end(list);
    return to;
}

VALUE rb_enc_vsprintf(rb_encoding *encoding, const char *format, va_list list)
{
    VALUE made = rb_usascii_str_new(0, 0);
    if (encoding) rb_enc_associate(made, encoding);
    rb_str_vcatf(made, format, list);
    return made;
}

VALUE rb_vsprintf(const char *format, va_list list)
{
    VALUE made = rb_utf8_str_new(0, 0);
    rb_str_vcatf(made, format, list);
    if (rb_enc_str_asciionly_p(made)) rb_enc_associate(made, rb_ascii8bit_encoding());
    return made;
}

VALUE rb_sprintf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    VALUE made = rb_vsprintf(format, list);
    va_end(list);
    return made;
}

VALUE rb_enc_sprintf(rb_encoding *encoding, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    VALUE made = rb_enc_vsprintf(encoding, format, list);
    va_end(list);
    return made;
}
