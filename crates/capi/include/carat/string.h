/* Strings. */
#ifndef CARAT_STRING_H
#define CARAT_STRING_H 1
RUBY_SYMBOL_EXPORT_BEGIN
/* How contents are held: in the slot, as a window of a buffer, or with pointer and length at the head of a buffer. */
#define CARAT_STORAGE(v) (RBASIC(v)->flags >> 14 & 3)
struct carat_view { struct RBasic basic; void *buffer; char *pointer; size_t length; };
struct carat_buffer { size_t count, capacity; char *pointer; size_t length; };
static inline long RSTRING_LEN(VALUE v)
{
    switch (CARAT_STORAGE(v)) {
      case 0: return *(const uint16_t *)(v + sizeof(struct RBasic));
      case 1: return (long)((const struct carat_view *)v)->length;
      default: return (long)((const struct carat_buffer *)((const struct carat_view *)v)->buffer)->length;
    }
}
#define RSTRING_LEN RSTRING_LEN
/* The bytes, a NUL behind them. They stay where they are until somebody writes to the string: what has been asked for once, as
   the flag says, is where it was. */
char *rb_str_pointer(VALUE);
static inline char *RSTRING_PTR(VALUE v)
{
    if (!RB_FL_TEST_RAW(v, CARAT_EXPOSED)) return rb_str_pointer(v);
    switch (CARAT_STORAGE(v)) {
      case 0: return (char *)(v + sizeof(struct RBasic) + sizeof(uint16_t));
      case 1: return ((struct carat_view *)v)->pointer;
      default: return ((struct carat_buffer *)((struct carat_view *)v)->buffer)->pointer;
    }
}
#define RSTRING_PTR RSTRING_PTR
static inline char *RSTRING_END(VALUE v) { return RSTRING_PTR(v) + RSTRING_LEN(v); }
#define RSTRING_END RSTRING_END
static inline int RSTRING_LENINT(VALUE v) { return rb_long2int(RSTRING_LEN(v)); }
#define RSTRING_LENINT RSTRING_LENINT
#define RSTRING_GETMEM(v, pointer, length) ((pointer) = RSTRING_PTR(v), (length) = RSTRING_LEN(v))
#define RSTRING_FSTR RUBY_FL_USER0
#define RSTRING(v) ((struct RString *)(v))
struct RString { struct RBasic basic; };
VALUE rb_str_new(const char *, long);
VALUE rb_str_new_cstr(const char *);
VALUE rb_str_new_static(const char *, long);
VALUE rb_str_new_shared(VALUE);
VALUE rb_str_new_frozen(VALUE);
VALUE rb_str_new_with_class(VALUE, const char *, long);
VALUE rb_str_buf_new(long);
VALUE rb_str_buf_new_cstr(const char *);
VALUE rb_str_tmp_new(long);
VALUE rb_usascii_str_new(const char *, long);
VALUE rb_usascii_str_new_cstr(const char *);
VALUE rb_usascii_str_new_static(const char *, long);
VALUE rb_utf8_str_new(const char *, long);
VALUE rb_utf8_str_new_cstr(const char *);
VALUE rb_utf8_str_new_static(const char *, long);
VALUE rb_external_str_new(const char *, long);
VALUE rb_external_str_new_cstr(const char *);
VALUE rb_locale_str_new(const char *, long);
VALUE rb_locale_str_new_cstr(const char *);
VALUE rb_filesystem_str_new(const char *, long);
VALUE rb_filesystem_str_new_cstr(const char *);
VALUE rb_interned_str(const char *, long);
VALUE rb_interned_str_cstr(const char *);
VALUE rb_str_to_interned_str(VALUE);
#define rb_str_new2 rb_str_new_cstr
#define rb_str_new3 rb_str_new_shared
#define rb_str_new4 rb_str_new_frozen
#define rb_str_new5 rb_str_new_with_class
#define rb_str_buf_new2 rb_str_buf_new_cstr
#define rb_usascii_str_new2 rb_usascii_str_new_cstr
#define rb_tainted_str_new rb_str_new
#define rb_tainted_str_new2 rb_str_new_cstr
#define rb_tainted_str_new_cstr rb_str_new_cstr
#define rb_strlen_lit(text) ((long)(sizeof(text "") - 1))
#define rb_str_new_lit(text) rb_str_new_static((text), rb_strlen_lit(text))
#define rb_str_new_literal rb_str_new_lit
#define rb_usascii_str_new_lit(text) rb_usascii_str_new_static((text), rb_strlen_lit(text))
#define rb_usascii_str_new_literal rb_usascii_str_new_lit
#define rb_utf8_str_new_lit(text) rb_utf8_str_new_static((text), rb_strlen_lit(text))
#define rb_utf8_str_new_literal rb_utf8_str_new_lit
#define rb_fstring_lit(text) rb_interned_str((text), rb_strlen_lit(text))
VALUE rb_string_value(volatile VALUE *);
char *rb_string_value_ptr(volatile VALUE *);
char *rb_string_value_cstr(volatile VALUE *);
VALUE rb_str_to_str(VALUE);
VALUE rb_check_string_type(VALUE);
static inline VALUE carat_string_value(volatile VALUE *v) { return RB_TYPE_P(*v, RUBY_T_STRING) ? *v : rb_string_value(v); }
static inline char *carat_string_value_ptr(volatile VALUE *v) { return RSTRING_PTR(carat_string_value(v)); }
#define StringValue(v) carat_string_value(&(v))
#define StringValuePtr(v) carat_string_value_ptr(&(v))
#define StringValueCStr(v) rb_string_value_cstr(&(v))
#define SafeStringValue(v) StringValue(v)
#define ExportStringValue(v) do { StringValue(v); (v) = rb_str_export(v); } while (0)
#define Check_SafeStr(v) rb_check_type((v), T_STRING)
#define rb_check_safe_str Check_SafeStr
VALUE rb_str_dup(VALUE);
VALUE rb_str_resurrect(VALUE);
VALUE rb_str_dup_frozen(VALUE);
VALUE rb_str_freeze(VALUE);
VALUE rb_str_plus(VALUE, VALUE);
VALUE rb_str_times(VALUE, VALUE);
VALUE rb_str_append(VALUE, VALUE);
VALUE rb_str_concat(VALUE, VALUE);
VALUE rb_str_buf_append(VALUE, VALUE);
VALUE rb_str_cat(VALUE, const char *, long);
VALUE rb_str_cat_cstr(VALUE, const char *);
VALUE rb_str_buf_cat_ascii(VALUE, const char *);
#define rb_str_cat2 rb_str_cat_cstr
#define rb_str_buf_cat rb_str_cat
#define rb_str_buf_cat2 rb_str_cat_cstr
#define rb_str_cat_lit(s, text) rb_str_cat((s), (text), rb_strlen_lit(text))
#define rb_str_cat_literal rb_str_cat_lit
VALUE rb_str_catf(VALUE, const char *, ...) __attribute__((__format__(__printf__, 2, 3)));
VALUE rb_str_vcatf(VALUE, const char *, va_list);
VALUE rb_sprintf(const char *, ...) __attribute__((__format__(__printf__, 1, 2)));
VALUE rb_vsprintf(const char *, va_list);
VALUE rb_str_format(int, const VALUE *, VALUE);
VALUE rb_f_sprintf(int, const VALUE *);
VALUE rb_str_substr(VALUE, long, long);
VALUE rb_str_subseq(VALUE, long, long);
char *rb_str_subpos(VALUE, long, long *);
VALUE rb_str_split(VALUE, const char *);
VALUE rb_str_replace(VALUE, VALUE);
void rb_str_update(VALUE, long, long, VALUE);
void rb_str_shared_replace(VALUE, VALUE);
VALUE rb_str_drop_bytes(VALUE, long);
VALUE rb_str_inspect(VALUE);
VALUE rb_str_dump(VALUE);
VALUE rb_str_intern(VALUE);
VALUE rb_str_length(VALUE);
VALUE rb_str_succ(VALUE);
VALUE rb_str_scrub(VALUE, VALUE);
VALUE rb_str_unlocktmp(VALUE);
VALUE rb_str_locktmp(VALUE);
long rb_str_strlen(VALUE);
long rb_str_offset(VALUE, long);
long rb_str_sublen(VALUE, long);
size_t rb_str_capacity(VALUE);
int rb_str_cmp(VALUE, VALUE);
VALUE rb_str_equal(VALUE, VALUE);
st_index_t rb_str_hash(VALUE);
int rb_str_hash_cmp(VALUE, VALUE);
int rb_str_comparable(VALUE, VALUE);
void rb_str_modify(VALUE);
void rb_str_modify_expand(VALUE, long);
void rb_str_set_len(VALUE, long);
VALUE rb_str_resize(VALUE, long);
void rb_str_free(VALUE);
void rb_str_setter(VALUE, ID, VALUE *);
VALUE rb_str_export(VALUE);
VALUE rb_str_export_locale(VALUE);
VALUE rb_str_encode_ospath(VALUE);
VALUE rb_get_path(VALUE);
VALUE rb_get_path_no_checksafe(VALUE);
#define FilePathValue(v) ((v) = rb_get_path(v))
#define FilePathStringValue(v) ((v) = rb_get_path(v))
void rb_must_asciicompat(VALUE);
st_index_t rb_memhash(const void *, long);
st_index_t rb_hash_start(st_index_t);
st_index_t rb_hash_uint32(st_index_t, uint32_t);
st_index_t rb_hash_uint(st_index_t, st_index_t);
st_index_t rb_hash_end(st_index_t);
#define rb_hash_uint(h, i) rb_hash_uint((h), (i))
int rb_memcicmp(const void *, const void *, long);
long rb_memsearch(const void *, long, const void *, long, rb_encoding *);
static inline char rb_num2char_inline(VALUE v)
{
    if (RB_TYPE_P(v, RUBY_T_STRING) && RSTRING_LEN(v) >= 1) return RSTRING_PTR(v)[0];
    return (char)RB_NUM2INT(v);
}
#define RB_NUM2CHR rb_num2char_inline
#define NUM2CHR RB_NUM2CHR
VALUE rb_reg_new_str(VALUE, int);
VALUE rb_reg_new(const char *, long, int);
VALUE rb_reg_regcomp(VALUE);
VALUE rb_reg_quote(VALUE);
VALUE rb_reg_match(VALUE, VALUE);
VALUE rb_reg_match2(VALUE);
VALUE rb_reg_nth_match(int, VALUE);
void rb_match_busy(VALUE);
VALUE rb_reg_nth_defined(int, VALUE);
VALUE rb_reg_last_match(VALUE);
VALUE rb_reg_match_pre(VALUE);
VALUE rb_reg_match_post(VALUE);
VALUE rb_reg_match_last(VALUE);
VALUE rb_reg_alloc(void);
VALUE rb_reg_init_str(VALUE, VALUE, int);
int rb_reg_options(VALUE);
long rb_reg_search(VALUE, VALUE, long, int);
int rb_reg_backref_number(VALUE, VALUE);
VALUE rb_backref_get(void);
void rb_backref_set(VALUE);
VALUE rb_lastline_get(void);
void rb_lastline_set(VALUE);
/* Kinds of ASCII characters, whatever the locale. */
static inline int rb_isascii(int c) { return c >= 0 && c < 128; }
static inline int rb_isupper(int c) { return c >= 'A' && c <= 'Z'; }
static inline int rb_islower(int c) { return c >= 'a' && c <= 'z'; }
static inline int rb_isalpha(int c) { return rb_isupper(c) || rb_islower(c); }
static inline int rb_isdigit(int c) { return c >= '0' && c <= '9'; }
static inline int rb_isalnum(int c) { return rb_isalpha(c) || rb_isdigit(c); }
static inline int rb_isxdigit(int c) { return rb_isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f'); }
static inline int rb_isblank(int c) { return c == ' ' || c == '\t'; }
static inline int rb_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static inline int rb_iscntrl(int c) { return (c >= 0 && c < ' ') || c == 0x7f; }
static inline int rb_isprint(int c) { return c >= ' ' && c <= '~'; }
static inline int rb_ispunct(int c) { return c > ' ' && c <= '~' && !rb_isalnum(c); }
static inline int rb_isgraph(int c) { return c > ' ' && c <= '~'; }
static inline int rb_tolower(int c) { return rb_isupper(c) ? c + 32 : c; }
static inline int rb_toupper(int c) { return rb_islower(c) ? c - 32 : c; }
#define ISASCII rb_isascii
#define ISUPPER rb_isupper
#define ISLOWER rb_islower
#define ISALPHA rb_isalpha
#define ISDIGIT rb_isdigit
#define ISALNUM rb_isalnum
#define ISXDIGIT rb_isxdigit
#define ISBLANK rb_isblank
#define ISSPACE rb_isspace
#define ISCNTRL rb_iscntrl
#define ISPRINT rb_isprint
#define ISPUNCT rb_ispunct
#define ISGRAPH rb_isgraph
#define TOLOWER rb_tolower
#define TOUPPER rb_toupper
#define STRCASECMP st_locale_insensitive_strcasecmp
#define STRNCASECMP st_locale_insensitive_strncasecmp
#define STRTOUL(s, e, b) strtoul((s), (e), (b))
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_str_new rb_str_new
#define rb_str_new_cstr rb_str_new_cstr
#define rb_usascii_str_new rb_usascii_str_new
#define rb_usascii_str_new_cstr rb_usascii_str_new_cstr
#define rb_utf8_str_new rb_utf8_str_new
#define rb_utf8_str_new_cstr rb_utf8_str_new_cstr
#define rb_external_str_new_cstr rb_external_str_new_cstr
#define rb_locale_str_new_cstr rb_locale_str_new_cstr
#define rb_str_buf_new_cstr rb_str_buf_new_cstr
#define rb_str_cat_cstr rb_str_cat_cstr
#define rb_str_dup_frozen rb_str_dup_frozen
#define rb_hash_end rb_hash_end
#define rb_hash_uint32 rb_hash_uint32
RUBY_SYMBOL_EXPORT_END
#endif
