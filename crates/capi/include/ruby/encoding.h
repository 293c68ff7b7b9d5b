/* Encodings. */
#ifndef RUBY_ENCODING_H
#define RUBY_ENCODING_H 1
#include "ruby/ruby.h"
#include "ruby/onigmo.h"
RUBY_SYMBOL_EXPORT_BEGIN
#define ENCODING_INLINE_MAX 127
#define RUBY_ENCODING_INLINE_MAX ENCODING_INLINE_MAX
#define RUBY_ENCODING_SHIFT 16
#define ENCODING_SHIFT RUBY_ENCODING_SHIFT
#define ENCODING_MASK (127UL << ENCODING_SHIFT)
enum ruby_coderange_type { RUBY_ENC_CODERANGE_UNKNOWN = 0, RUBY_ENC_CODERANGE_7BIT = 1, RUBY_ENC_CODERANGE_VALID = 2, RUBY_ENC_CODERANGE_BROKEN = 3, RUBY_ENC_CODERANGE_MASK = 3 };
#define ENC_CODERANGE_UNKNOWN RUBY_ENC_CODERANGE_UNKNOWN
#define ENC_CODERANGE_7BIT RUBY_ENC_CODERANGE_7BIT
#define ENC_CODERANGE_VALID RUBY_ENC_CODERANGE_VALID
#define ENC_CODERANGE_BROKEN RUBY_ENC_CODERANGE_BROKEN
#define ENC_CODERANGE_MASK RUBY_ENC_CODERANGE_MASK
#define CARAT_CODERANGE_SHIFT 23
static inline int RB_ENC_CODERANGE(VALUE v) { return (int)(RBASIC(v)->flags >> CARAT_CODERANGE_SHIFT & 3); }
#define RB_ENC_CODERANGE RB_ENC_CODERANGE
static inline void RB_ENC_CODERANGE_SET(VALUE v, int range)
{
    RBASIC(v)->flags = (RBASIC(v)->flags & ~(3UL << CARAT_CODERANGE_SHIFT)) | (VALUE)range << CARAT_CODERANGE_SHIFT;
}
#define RB_ENC_CODERANGE_SET RB_ENC_CODERANGE_SET
static inline void RB_ENC_CODERANGE_CLEAR(VALUE v) { RB_ENC_CODERANGE_SET(v, RUBY_ENC_CODERANGE_UNKNOWN); }
#define RB_ENC_CODERANGE_CLEAR RB_ENC_CODERANGE_CLEAR
static inline bool RB_ENC_CODERANGE_CLEAN_P(int range) { return range == RUBY_ENC_CODERANGE_7BIT || range == RUBY_ENC_CODERANGE_VALID; }
#define RB_ENC_CODERANGE_CLEAN_P RB_ENC_CODERANGE_CLEAN_P
static inline int RB_ENC_CODERANGE_AND(int a, int b)
{
    if (a == RUBY_ENC_CODERANGE_7BIT) return b;
    if (a != RUBY_ENC_CODERANGE_VALID) return RUBY_ENC_CODERANGE_UNKNOWN;
    return b == RUBY_ENC_CODERANGE_7BIT ? RUBY_ENC_CODERANGE_VALID : b;
}
#define RB_ENC_CODERANGE_AND RB_ENC_CODERANGE_AND
#define ENC_CODERANGE RB_ENC_CODERANGE
#define ENC_CODERANGE_SET RB_ENC_CODERANGE_SET
#define ENC_CODERANGE_CLEAR RB_ENC_CODERANGE_CLEAR
#define ENC_CODERANGE_CLEAN_P RB_ENC_CODERANGE_CLEAN_P
#define ENC_CODERANGE_AND RB_ENC_CODERANGE_AND
#define ENC_CODERANGE_ASCIIONLY(v) rb_enc_str_asciionly_p(v)
int rb_define_dummy_encoding(const char *);
int rb_enc_alias(const char *, const char *);
int rb_enc_to_index(rb_encoding *);
int rb_enc_get_index(VALUE);
static inline int carat_enc_get_index(VALUE v)
{
    return RB_FL_ABLE(v) && carat_heap_type(v) == CARAT_STRING ? (int)(RBASIC(v)->flags >> 16 & 0x7F) : rb_enc_get_index(v);
}
#define rb_enc_get_index carat_enc_get_index
void rb_enc_set_index(VALUE, int);
int rb_enc_find_index(const char *);
int rb_to_encoding_index(VALUE);
rb_encoding *rb_to_encoding(VALUE);
rb_encoding *rb_find_encoding(VALUE);
rb_encoding *rb_enc_get(VALUE);
rb_encoding *rb_enc_compatible(VALUE, VALUE);
rb_encoding *rb_enc_check(VALUE, VALUE);
rb_encoding *rb_enc_from_index(int);
rb_encoding *rb_enc_find(const char *);
VALUE rb_enc_associate_index(VALUE, int);
VALUE rb_enc_associate(VALUE, rb_encoding *);
void rb_enc_copy(VALUE, VALUE);
VALUE rb_enc_from_encoding(rb_encoding *);
VALUE rb_obj_encoding(VALUE);
VALUE rb_enc_default_external(void);
VALUE rb_enc_default_internal(void);
void rb_enc_set_default_external(VALUE);
void rb_enc_set_default_internal(VALUE);
rb_encoding *rb_ascii8bit_encoding(void);
rb_encoding *rb_utf8_encoding(void);
rb_encoding *rb_usascii_encoding(void);
rb_encoding *rb_locale_encoding(void);
rb_encoding *rb_filesystem_encoding(void);
rb_encoding *rb_default_external_encoding(void);
rb_encoding *rb_default_internal_encoding(void);
int rb_ascii8bit_encindex(void);
int rb_utf8_encindex(void);
int rb_usascii_encindex(void);
int rb_locale_encindex(void);
int rb_filesystem_encindex(void);
VALUE rb_locale_charmap(VALUE);
VALUE rb_enc_str_new(const char *, long, rb_encoding *);
VALUE rb_enc_str_new_cstr(const char *, rb_encoding *);
VALUE rb_enc_str_new_static(const char *, long, rb_encoding *);
VALUE rb_enc_interned_str(const char *, long, rb_encoding *);
VALUE rb_enc_interned_str_cstr(const char *, rb_encoding *);
#define rb_enc_str_new_lit(text, enc) rb_enc_str_new_static((text), rb_strlen_lit(text), (enc))
#define rb_enc_str_new_literal rb_enc_str_new_lit
VALUE rb_external_str_new_with_enc(const char *, long, rb_encoding *);
VALUE rb_str_export_to_enc(VALUE, rb_encoding *);
VALUE rb_str_conv_enc(VALUE, rb_encoding *, rb_encoding *);
VALUE rb_str_conv_enc_opts(VALUE, rb_encoding *, rb_encoding *, int, VALUE);
VALUE rb_str_encode(VALUE, VALUE, int, VALUE);
VALUE rb_enc_str_buf_cat(VALUE, const char *, long, rb_encoding *);
#define rb_enc_str_buf_cat_ rb_enc_str_buf_cat
VALUE rb_enc_sprintf(rb_encoding *, const char *, ...) __attribute__((__format__(__printf__, 2, 3)));
VALUE rb_enc_vsprintf(rb_encoding *, const char *, va_list);
void rb_enc_raise(rb_encoding *, VALUE, const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 3, 4)));
VALUE rb_enc_reg_new(const char *, long, rb_encoding *, int);
VALUE rb_enc_uint_chr(unsigned int, rb_encoding *);
int rb_enc_str_coderange(VALUE);
static inline int carat_enc_str_coderange(VALUE v)
{
    int known = RB_FL_ABLE(v) && carat_heap_type(v) == CARAT_STRING ? (int)(RBASIC(v)->flags >> 23 & 3) : 0;
    return known ? known : rb_enc_str_coderange(v);
}
#define rb_enc_str_coderange carat_enc_str_coderange
int rb_enc_str_asciionly_p(VALUE);
long rb_enc_strlen(const char *, const char *, rb_encoding *);
char *rb_enc_nth(const char *, const char *, long, rb_encoding *);
int rb_enc_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_fast_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_precise_mbclen(const char *, const char *, rb_encoding *);
int rb_enc_ascget(const char *, const char *, int *, rb_encoding *);
unsigned int rb_enc_codepoint_len(const char *, const char *, int *, rb_encoding *);
unsigned int carat_codepoint(const char *, const char *, rb_encoding *);
unsigned int rb_enc_codepoint(const char *, const char *, rb_encoding *);
#define rb_enc_codepoint rb_enc_codepoint
int rb_enc_codelen(int, rb_encoding *);
int rb_enc_code_to_mbclen(int, rb_encoding *);
#define rb_enc_code_to_mbclen rb_enc_code_to_mbclen
int rb_enc_mbcput(unsigned int, void *, rb_encoding *);
#define rb_enc_mbcput rb_enc_mbcput
int rb_enc_toupper(int, rb_encoding *);
int rb_enc_tolower(int, rb_encoding *);
int rb_enc_dummy_p(rb_encoding *);
int rb_enc_unicode_p(rb_encoding *);
int rb_enc_symname_p(const char *, rb_encoding *);
int rb_enc_symname2_p(const char *, long, rb_encoding *);
int rb_uv_to_utf8(char[6], unsigned long);
VALUE rb_str_encode_ospath(VALUE);
long rb_memsearch(const void *, long, const void *, long, rb_encoding *);
char *rb_enc_left_char_head_function(const char *, const char *, const char *, rb_encoding *);
char *rb_enc_right_char_head_function(const char *, const char *, const char *, rb_encoding *);
#define rb_enc_left_char_head(s, p, e, enc) rb_enc_left_char_head_function((const char *)(s), (const char *)(p), (const char *)(e), (enc))
#define rb_enc_right_char_head(s, p, e, enc) rb_enc_right_char_head_function((const char *)(s), (const char *)(p), (const char *)(e), (enc))
#define rb_enc_prev_char(s, p, e, enc) ((p) > (s) ? rb_enc_left_char_head((s), (p) - 1, (e), (enc)) : (char *)0)
static inline const char *rb_enc_name(rb_encoding *enc) { return enc->name; }
#define rb_enc_name rb_enc_name
static inline int rb_enc_mbminlen(rb_encoding *enc) { return enc->min_enc_len; }
#define rb_enc_mbminlen rb_enc_mbminlen
static inline int rb_enc_mbmaxlen(rb_encoding *enc) { return enc->max_enc_len; }
#define rb_enc_mbmaxlen rb_enc_mbmaxlen
static inline bool rb_enc_asciicompat(rb_encoding *enc) { return enc->min_enc_len == 1 && !rb_enc_dummy_p(enc); }
#define rb_enc_asciicompat rb_enc_asciicompat
static inline bool rb_enc_str_asciicompat_p(VALUE v) { return rb_enc_asciicompat(rb_enc_get(v)); }
#define rb_enc_str_asciicompat_p rb_enc_str_asciicompat_p
static inline unsigned int rb_enc_mbc_to_codepoint(const char *p, const char *e, rb_encoding *enc) { return carat_codepoint(p, e, enc); }
#define rb_enc_mbc_to_codepoint rb_enc_mbc_to_codepoint
static inline bool rb_enc_is_newline(const char *p, const char *e, rb_encoding *enc) { (void)e; (void)enc; return *p == '\n'; }
#define rb_enc_is_newline rb_enc_is_newline
int rb_enc_ctype(OnigCodePoint, int, rb_encoding *);
#define rb_enc_isctype(c, t, enc) rb_enc_ctype((c), (t), (enc))
#define rb_enc_isascii(c, enc) ((unsigned int)(c) < 128)
#define rb_enc_isalpha(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_ALPHA, (enc))
#define rb_enc_islower(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_LOWER, (enc))
#define rb_enc_isupper(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_UPPER, (enc))
#define rb_enc_ispunct(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_PUNCT, (enc))
#define rb_enc_isalnum(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_ALNUM, (enc))
#define rb_enc_isprint(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_PRINT, (enc))
#define rb_enc_isspace(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_SPACE, (enc))
#define rb_enc_isdigit(c, enc) rb_enc_ctype((c), ONIGENC_CTYPE_DIGIT, (enc))
#define RB_ENCODING_GET rb_enc_get_index
#define RB_ENCODING_GET_INLINED rb_enc_get_index
#define RB_ENCODING_SET rb_enc_set_index
#define RB_ENCODING_SET_INLINED rb_enc_set_index
static inline bool RB_ENCODING_IS_ASCII8BIT(VALUE v) { return rb_enc_get_index(v) == 0; }
#define RB_ENCODING_IS_ASCII8BIT RB_ENCODING_IS_ASCII8BIT
#define ENCODING_GET RB_ENCODING_GET
#define ENCODING_GET_INLINED RB_ENCODING_GET_INLINED
#define ENCODING_SET RB_ENCODING_SET
#define ENCODING_SET_INLINED RB_ENCODING_SET_INLINED
#define ENCODING_IS_ASCII8BIT RB_ENCODING_IS_ASCII8BIT
#define ENCODING_CODERANGE_SET(v, index, range) do { rb_enc_set_index((v), (index)); RB_ENC_CODERANGE_SET((v), (range)); } while (0)
#define ENCINDEX_ASCII_8BIT 0
#define ENCINDEX_UTF_8 1
#define ENCINDEX_US_ASCII 2
#define MBCLEN_CHARFOUND_P(r) (0 < (r))
#define MBCLEN_CHARFOUND_LEN(r) (r)
#define MBCLEN_INVALID_P(r) ((r) == -1)
#define MBCLEN_NEEDMORE_P(r) ((r) < -1)
#define MBCLEN_NEEDMORE_LEN(r) (-1 - (r))
/* Transcoding. */
typedef enum { econv_invalid_byte_sequence, econv_undefined_conversion, econv_destination_buffer_full, econv_source_buffer_empty,
    econv_finished, econv_after_output, econv_incomplete_input } rb_econv_result_t;
typedef struct rb_econv_t rb_econv_t;
enum ruby_econv_flag_type {
    RUBY_ECONV_INVALID_MASK = 0xf, RUBY_ECONV_INVALID_REPLACE = 2, RUBY_ECONV_UNDEF_MASK = 0xf0, RUBY_ECONV_UNDEF_REPLACE = 0x20,
    RUBY_ECONV_UNDEF_HEX_CHARREF = 0x30, RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR = 0x100, RUBY_ECONV_CRLF_NEWLINE_DECORATOR = 0x1000,
    RUBY_ECONV_CR_NEWLINE_DECORATOR = 0x2000, RUBY_ECONV_LF_NEWLINE_DECORATOR = 0x4000, RUBY_ECONV_XML_TEXT_DECORATOR = 0x8000,
    RUBY_ECONV_XML_ATTR_CONTENT_DECORATOR = 0x10000, RUBY_ECONV_XML_ATTR_QUOTE_DECORATOR = 0x100000,
    RUBY_ECONV_PARTIAL_INPUT = 0x20000, RUBY_ECONV_AFTER_OUTPUT = 0x40000
};
#define ECONV_INVALID_REPLACE RUBY_ECONV_INVALID_REPLACE
#define ECONV_UNDEF_REPLACE RUBY_ECONV_UNDEF_REPLACE
#define ECONV_UNDEF_HEX_CHARREF RUBY_ECONV_UNDEF_HEX_CHARREF
#define ECONV_UNIVERSAL_NEWLINE_DECORATOR RUBY_ECONV_UNIVERSAL_NEWLINE_DECORATOR
#define ECONV_CRLF_NEWLINE_DECORATOR RUBY_ECONV_CRLF_NEWLINE_DECORATOR
#define ECONV_CR_NEWLINE_DECORATOR RUBY_ECONV_CR_NEWLINE_DECORATOR
#define ECONV_XML_TEXT_DECORATOR RUBY_ECONV_XML_TEXT_DECORATOR
#define ECONV_PARTIAL_INPUT RUBY_ECONV_PARTIAL_INPUT
#define ECONV_AFTER_OUTPUT RUBY_ECONV_AFTER_OUTPUT
int rb_econv_has_convpath_p(const char *, const char *);
rb_econv_t *rb_econv_open(const char *, const char *, int);
rb_econv_t *rb_econv_open_opts(const char *, const char *, int, VALUE);
int rb_econv_prepare_opts(VALUE, VALUE *);
int rb_econv_prepare_options(VALUE, VALUE *, int);
void rb_econv_close(rb_econv_t *);
rb_econv_result_t rb_econv_convert(rb_econv_t *, const unsigned char **, const unsigned char *, unsigned char **, unsigned char *, int);
void rb_econv_check_error(rb_econv_t *);
VALUE rb_econv_make_exception(rb_econv_t *);
VALUE rb_econv_str_convert(rb_econv_t *, VALUE, int);
VALUE rb_econv_substr_convert(rb_econv_t *, VALUE, long, long, int);
VALUE rb_econv_append(rb_econv_t *, const char *, long, VALUE, int);
VALUE rb_econv_str_append(rb_econv_t *, VALUE, VALUE, int);
VALUE rb_econv_substr_append(rb_econv_t *, VALUE, long, long, VALUE, int);
VALUE rb_econv_open_exc(const char *, const char *, int);
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_enc_str_new rb_enc_str_new
#define rb_enc_str_new_cstr rb_enc_str_new_cstr
RUBY_SYMBOL_EXPORT_END
#endif
