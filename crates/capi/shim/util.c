/* Small functions that know nothing of Ruby, and constants. */
#include "ruby/ruby.h"
#include "ruby/util.h"
#include "ruby/io.h"
#include "ruby/ractor.h"
#include "ruby/encoding.h"
#include <fcntl.h>
#undef strtod

const int ruby_api_version[3] = {4, 0, 0};
const char ruby_version[] = "4.0.0";
const char ruby_release_date[] = "2025-12-25";
const char ruby_platform[] = RUBY_PLATFORM;
const char ruby_description[] = "carat (ruby 4.0.0) [" RUBY_PLATFORM "]";
const char ruby_copyright[] = "carat - Copyright (C) 2026 the Carat authors";
const char ruby_engine[] = "ruby";
const int ruby_patchlevel = 0;

const char ruby_hexdigits[] = "0123456789abcdef0123456789ABCDEF";
const signed char ruby_digit36_to_number_table[256] = {
#define N -1
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, 0,1,2,3,4,5,6,7,8,9,N,N,N,N,N,N,
    N,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24, 25,26,27,28,29,30,31,32,33,34,35,N,N,N,N,N,
    N,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24, 25,26,27,28,29,30,31,32,33,34,35,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,
    N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N, N,N,N,N,N,N,N,N,N,N,N,N,N,N,N,N
#undef N
};

VALUE carat_verbose(void);
static VALUE verbose, debug = Qfalse;
VALUE *rb_ruby_verbose_ptr(void) { verbose = carat_verbose(); return &verbose; }
VALUE *rb_ruby_debug_ptr(void) { return &debug; }

static unsigned long scan(const char *text, size_t length, size_t *used, unsigned long base)
{
    unsigned long n = 0;
    size_t i = 0;
    for (; i < length; i++) {
        signed char d = ruby_digit36_to_number_table[(unsigned char)text[i]];
        if (d < 0 || (unsigned long)d >= base) break;
        n = n * base + (unsigned long)d;
    }
    *used = i;
    return n;
}

unsigned long ruby_scan_oct(const char *text, size_t length, size_t *used) { return scan(text, length, used, 8); }
unsigned long ruby_scan_hex(const char *text, size_t length, size_t *used) { return scan(text, length, used, 16); }

unsigned long ruby_scan_digits(const char *text, ssize_t length, int base, size_t *used, int *overflow)
{
    const char *next = text;
    unsigned long n = 0;
    *overflow = 0;
    for (; length != 0; next++, length--) {
        signed char d = ruby_digit36_to_number_table[(unsigned char)*next];
        if (d < 0 || d >= base) break;
        if (__builtin_mul_overflow(n, (unsigned long)base, &n) || __builtin_add_overflow(n, (unsigned long)d, &n)) *overflow = 1;
    }
    *used = (size_t)(next - text);
    return n;
}

char *ruby_strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    return (char *)memcpy(ruby_xmalloc(size), text, size);
}

char *ruby_getcwd(void)
{
    char *path = getcwd(0, 0);
    if (!path) rb_sys_fail("getcwd");
    return path;
}

/* As strtod, whatever the locale's decimal point is. */
double ruby_strtod(const char *text, char **end) { return strtod(text, end); }

void ruby_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *data)
{
    qsort_r(base, count, size, compare, data);
}

void ruby_each_words(const char *text, void (*visit)(const char *, int, void *), void *data)
{
    while (*text) {
        text += strspn(text, " \t\n,");
        size_t length = strcspn(text, " \t\n,");
        if (length) visit(text, (int)length, data);
        text += length;
    }
}

int rb_uv_to_utf8(char buffer[6], unsigned long code)
{
    if (code <= 0x7f) { buffer[0] = (char)code; return 1; }
    int length = code <= 0x7ff ? 2 : code <= 0xffff ? 3 : code <= 0x1fffff ? 4 : code <= 0x3ffffff ? 5 : code <= 0x7fffffff ? 6 : 0;
    if (!length) rb_raise(rb_eRangeError, "pack(U): value out of range");
    for (int i = length - 1; i > 0; i--, code >>= 6) buffer[i] = (char)(0x80 | (code & 0x3f));
    buffer[0] = (char)((0xff00 >> length & 0xff) | code);
    return length;
}

void rb_update_max_fd(int fd) { (void)fd; }
void rb_fd_fix_cloexec(int fd) { fcntl(fd, F_SETFD, fcntl(fd, F_GETFD) | FD_CLOEXEC); }
void rb_maygvl_fd_fix_cloexec(int fd) { rb_fd_fix_cloexec(fd); }
int rb_cloexec_open(const char *path, int flags, mode_t mode) { return open(path, flags | O_CLOEXEC, mode); }
int rb_cloexec_dup(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }
int rb_cloexec_dup2(int from, int to) { return from == to ? to : dup3(from, to, O_CLOEXEC); }
int rb_cloexec_dup3(int from, int to, int flags) { return dup3(from, to, flags | O_CLOEXEC); }
int rb_cloexec_pipe(int fds[2]) { return pipe2(fds, O_CLOEXEC); }
int rb_cloexec_fcntl_dupfd(int fd, int least) { return fcntl(fd, F_DUPFD_CLOEXEC, least); }
int rb_pipe(int *fds) { return rb_cloexec_pipe(fds); }
int rb_reserved_fd_p(int fd) { (void)fd; return 0; }

int rb_io_modestr_fmode(const char *mode)
{
    int flags = *mode == 'r' ? FMODE_READABLE : *mode == 'w' ? FMODE_WRITABLE | FMODE_TRUNC | FMODE_CREATE
        : *mode == 'a' ? FMODE_WRITABLE | FMODE_APPEND | FMODE_CREATE : 0;
    bool is_known = flags != 0;
    for (const char *at = mode + 1; is_known && *at && *at != ':'; at++) {
        switch (*at) {
          case '+': flags |= FMODE_READWRITE; break;
          case 'b': flags |= FMODE_BINMODE; break;
          case 't': flags |= FMODE_TEXTMODE; break;
          case 'x': is_known = *mode == 'w'; flags |= FMODE_EXCL; break;
          default: is_known = false;
        }
    }
    if ((flags & FMODE_BINMODE) && (flags & FMODE_TEXTMODE)) is_known = false;
    if (!is_known) rb_raise(rb_eArgError, "invalid access mode %s", mode);
    return flags;
}

int rb_io_modestr_oflags(const char *mode)
{
    int fmode = rb_io_modestr_fmode(mode), flags = 0;
    switch (fmode & FMODE_READWRITE) {
      case FMODE_READABLE: flags = O_RDONLY; break;
      case FMODE_WRITABLE: flags = O_WRONLY; break;
      default: flags = O_RDWR;
    }
    if (fmode & FMODE_APPEND) flags |= O_APPEND;
    if (fmode & FMODE_TRUNC) flags |= O_TRUNC;
    if (fmode & FMODE_CREATE) flags |= O_CREAT;
    if (fmode & FMODE_EXCL) flags |= O_EXCL;
    return flags;
}

/* ---- sets of descriptors of any size ---- */

static size_t set_size(int n)
{
    size_t bits = 8 * sizeof(fd_mask), words = ((size_t)n + bits - 1) / bits, bytes = words * sizeof(fd_mask);
    return bytes < sizeof(fd_set) ? sizeof(fd_set) : bytes;
}

static void grow(rb_fdset_t *set, int fd)
{
    size_t old = set_size(set->maxfd), wanted = set_size(fd + 1);
    if (wanted > old) {
        set->fdset = (fd_set *)ruby_xrealloc(set->fdset, wanted);
        memset((char *)set->fdset + old, 0, wanted - old);
    }
    if (fd >= set->maxfd) set->maxfd = fd + 1;
}

void rb_fd_init(rb_fdset_t *set) { set->maxfd = 0; set->fdset = (fd_set *)ruby_xcalloc(1, sizeof(fd_set)); }
void rb_fd_term(rb_fdset_t *set) { ruby_xfree(set->fdset); set->maxfd = 0; set->fdset = 0; }
void rb_fd_zero(rb_fdset_t *set) { if (set->fdset) memset(set->fdset, 0, set_size(set->maxfd)); }
static fd_mask *word(const rb_fdset_t *set, int fd) { return &((fd_mask *)set->fdset)[fd / (int)(8 * sizeof(fd_mask))]; }
static fd_mask bit(int fd) { return (fd_mask)(1UL << (fd % (int)(8 * sizeof(fd_mask)))); }
void rb_fd_set(int fd, rb_fdset_t *set) { grow(set, fd); *word(set, fd) |= bit(fd); }
void rb_fd_clr(int fd, rb_fdset_t *set) { if (fd < set->maxfd) *word(set, fd) &= ~bit(fd); }
int rb_fd_isset(int fd, const rb_fdset_t *set) { return fd < set->maxfd && (*word(set, fd) & bit(fd)) != 0; }

void rb_fd_copy(rb_fdset_t *to, const fd_set *from, int n)
{
    size_t size = set_size(n);
    to->maxfd = n;
    to->fdset = (fd_set *)ruby_xrealloc(to->fdset, size);
    memcpy(to->fdset, from, size);
}

void rb_fd_dup(rb_fdset_t *to, const rb_fdset_t *from) { rb_fd_copy(to, from->fdset, from->maxfd); }

int rb_fd_select(int n, rb_fdset_t *r, rb_fdset_t *w, rb_fdset_t *e, struct timeval *t)
{
    return select(n, r ? r->fdset : 0, w ? w->fdset : 0, e ? e->fdset : 0, t);
}

struct selection { int n; rb_fdset_t *r, *w, *e; struct timeval *t; int result, error; };

static void *do_select(void *data)
{
    struct selection *s = (struct selection *)data;
    s->result = rb_fd_select(s->n, s->r, s->w, s->e, s->t);
    s->error = errno;
    return 0;
}

void *rb_thread_call_without_gvl(void *(*)(void *), void *, void (*)(void *), void *);

int rb_thread_fd_select(int n, rb_fdset_t *r, rb_fdset_t *w, rb_fdset_t *e, struct timeval *t)
{
    struct selection s = {n, r, w, e, t, 0, 0};
    if (!r && !w && !e) {
        if (!t) {
            rb_thread_sleep_forever();
            return 0;
        }
        rb_thread_wait_for(*t);
        return 0;
    }
    rb_thread_call_without_gvl(do_select, &s, (void (*)(void *))-1, 0);
    errno = s.error;
    return s.result;
}

const struct rb_ractor_local_storage_type rb_ractor_local_storage_type_free = {0, ruby_xfree};

size_t ruby_strlcpy(char *to, const char *from, size_t size)
{
    size_t length = strlen(from);
    if (size > 0) {
        size_t copied = length < size ? length : size - 1;
        memcpy(to, from, copied);
        to[copied] = 0;
    }
    return length;
}

size_t ruby_strlcat(char *to, const char *from, size_t size)
{
    size_t used = strnlen(to, size);
    return used + ruby_strlcpy(to + used, from, size - used);
}

static VALUE option(VALUE options, const char *name)
{
    return NIL_P(options) ? Qnil : rb_hash_aref(options, ID2SYM(rb_intern(name)));
}

static rb_encoding *encoding_option(VALUE options, const char *name)
{
    VALUE given = option(options, name);
    return NIL_P(given) ? 0 : rb_to_encoding(given);
}

/* What `open(mode, **options)` asks for: flags, and the encodings that follow a mode's colons. */
void rb_io_extract_modeenc(VALUE *mode, VALUE *permissions, VALUE options, int *oflags, int *fmode, struct rb_io_encoding *encodings)
{
    VALUE given = *mode;
    struct rb_io_encoding found = {0, 0, 0, Qnil};
    (void)permissions;
    if (NIL_P(given)) given = option(options, "mode");
    if (NIL_P(given)) {
        *fmode = FMODE_READABLE;
        *oflags = O_RDONLY;
    }
    else if (!NIL_P(rb_check_to_integer(given, "to_int"))) {
        *oflags = NUM2INT(rb_to_int(given));
        *fmode = rb_io_oflags_fmode(*oflags);
    }
    else {
        VALUE parts = rb_str_split(StringValue(given), ":");
        VALUE word = rb_ary_entry(parts, 0);
        *fmode = rb_io_modestr_fmode(StringValueCStr(word));
        *oflags = rb_io_modestr_oflags(StringValueCStr(word));
        if (RARRAY_LEN(parts) > 1) {
            VALUE name = rb_ary_entry(parts, 1);
            if (strncasecmp(StringValueCStr(name), "bom|", 4) == 0) {
                *fmode |= FMODE_SETENC_BY_BOM;
                name = rb_str_substr(name, 4, RSTRING_LEN(name) - 4);
            }
            found.enc = rb_to_encoding(name);
        }
        if (RARRAY_LEN(parts) > 2) {
            found.enc2 = found.enc;
            found.enc = rb_to_encoding(rb_ary_entry(parts, 2));
        }
    }
    if (RTEST(option(options, "binmode"))) *fmode |= FMODE_BINMODE;
    if (RTEST(option(options, "textmode"))) *fmode |= FMODE_TEXTMODE;
    if ((*fmode & FMODE_BINMODE) && (*fmode & FMODE_TEXTMODE)) rb_raise(rb_eArgError, "both textmode and binmode specified");
    if (!found.enc) {
        rb_encoding *outer = encoding_option(options, "external_encoding"), *inner = encoding_option(options, "internal_encoding");
        if (!outer) outer = encoding_option(options, "encoding");
        found.enc = inner ? inner : outer;
        found.enc2 = inner ? outer : 0;
    }
    *encodings = found;
}

/* What stands for an inner encoding where nothing is to be converted. */
#define NO_INNER ((rb_encoding *)Qnil)

/* What a stream reads and what it has outside, of two encodings that were asked for. */
static void place_encodings(rb_encoding *outer, rb_encoding *inner, int mode, rb_encoding **first, rb_encoding **second)
{
    int is_default = !outer;
    if (!outer) outer = rb_default_external_encoding();
    if (outer == rb_ascii8bit_encoding()) inner = NULL;
    if (!inner) inner = rb_default_internal_encoding();
    if (!inner || inner == NO_INNER || (!(mode & FMODE_SETENC_BY_BOM) && inner == outer)) {
        *first = is_default && inner != outer ? NULL : outer;
        *second = NULL;
    } else {
        *first = inner;
        *second = outer;
    }
}

/* The encoding of a name; a warning and none for a name that is none's. */
static rb_encoding *named_encoding(const char *name)
{
    int index = rb_enc_find_index(name);
    if (index >= 0) return rb_enc_from_index(index);
    rb_warn("Unsupported encoding %s ignored", name);
    return NULL;
}

/* "outer", "outer:inner" or "outer:-", perhaps with "BOM|" before. */
static void parse_encodings(VALUE text, rb_encoding **first, rb_encoding **second, int *mode)
{
    char *name = StringValueCStr(text), *colon = strrchr(name, ':');
    int flags = mode ? *mode : 0;
    if (!STRNCASECMP(name, "BOM|", 4)) {
        name += 4;
        if (STRNCASECMP(name, "utf", 3)) rb_warn("BOM with non-UTF encoding %s is nonsense", name);
        else flags |= FMODE_SETENC_BY_BOM;
    }
    VALUE before = colon ? rb_str_new(name, colon - name) : rb_str_new_cstr(name);
    rb_encoding *outer = named_encoding(StringValueCStr(before)), *inner = NULL;
    if (colon) inner = strcmp(colon + 1, "-") ? named_encoding(colon + 1) : NO_INNER;
    if (inner && inner == outer && !(flags & FMODE_SETENC_BY_BOM)) inner = NO_INNER;
    if (mode) *mode = flags;
    place_encodings(outer, inner, flags, first, second);
    RB_GC_GUARD(before);
}

int rb_io_extract_encoding_option(VALUE options, rb_encoding **first, rb_encoding **second, int *mode)
{
    VALUE encoding = Qnil, outer = Qundef, inner = Qundef;
    if (!NIL_P(options)) {
        encoding = rb_hash_lookup2(options, ID2SYM(rb_intern("encoding")), Qnil);
        outer = rb_hash_lookup2(options, ID2SYM(rb_intern("external_encoding")), Qundef);
        inner = rb_hash_lookup2(options, ID2SYM(rb_intern("internal_encoding")), Qundef);
        if (outer == Qnil) outer = Qundef;
    }
    if (outer != Qundef || inner != Qundef) {
        if (!NIL_P(encoding))
            rb_warn("Ignoring encoding parameter '%"PRIsVALUE"': %s_encoding is used", encoding, outer == Qundef ? "internal" : "external");
        rb_encoding *out = outer == Qundef ? NULL : rb_to_encoding(outer), *in = NULL;
        if (inner != Qundef) {
            int is_none = NIL_P(inner) || (RB_TYPE_P(inner, T_STRING) && !strcmp(StringValueCStr(inner), "-"));
            in = is_none ? NO_INNER : rb_to_encoding(inner);
            if (in == out) in = NO_INNER;
        }
        place_encodings(out, in, 0, first, second);
        return 1;
    }
    if (NIL_P(encoding)) return 0;
    VALUE text = rb_check_string_type(encoding);
    if (NIL_P(text)) place_encodings(rb_to_encoding(encoding), NULL, 0, first, second);
    else parse_encodings(text, first, second, mode);
    return 1;
}

FILE *rb_fdopen(int descriptor, const char *mode)
{
    FILE *file = fdopen(descriptor, mode);
    if (!file) rb_sys_fail(0);
    return file;
}

void rb_glob(const char *pattern, void (*function)(const char *, VALUE), VALUE data)
{
    VALUE found = rb_funcall(rb_cDir, rb_intern("glob"), 1, rb_str_new_cstr(pattern));
    for (long i = 0; i < RARRAY_LEN(found); i++) {
        VALUE path = rb_ary_entry(found, i);
        function(StringValueCStr(path), data);
        RB_GC_GUARD(path);
    }
}
