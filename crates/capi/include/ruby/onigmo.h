/* What encodings and regular expressions share. */
#ifndef ONIGMO_H
#define ONIGMO_H 1
#include "ruby/defines.h"
RUBY_SYMBOL_EXPORT_BEGIN
#define ONIGMO_VERSION_MAJOR 6
#define ONIGMO_VERSION_MINOR 2
typedef unsigned char OnigUChar;
typedef unsigned int OnigCodePoint;
typedef unsigned int OnigCtype;
typedef size_t OnigDistance;
typedef ptrdiff_t OnigPosition;
typedef unsigned int OnigOptionType;
typedef unsigned int OnigCaseFoldType;
#ifndef UChar
# define UChar OnigUChar
#endif
struct OnigEncodingTypeST {
    const char *name;
    int max_enc_len;
    int min_enc_len;
    int ruby_encoding_index;
    unsigned int flags;
};
typedef struct OnigEncodingTypeST OnigEncodingType;
typedef const OnigEncodingType *OnigEncoding;
#define ONIGENC_FLAG_NONE 0
#define ONIGENC_FLAG_UNICODE 1
#define CARAT_ENCODING_DUMMY 2
#define ONIGENC_IS_UNICODE(enc) (((enc)->flags & ONIGENC_FLAG_UNICODE) != 0)
#define ONIGENC_MBC_MAXLEN(enc) ((enc)->max_enc_len)
#define ONIGENC_MBC_MINLEN(enc) ((enc)->min_enc_len)
#define ONIGENC_NAME(enc) ((enc)->name)
enum onig_ctype {
    ONIGENC_CTYPE_NEWLINE, ONIGENC_CTYPE_ALPHA, ONIGENC_CTYPE_BLANK, ONIGENC_CTYPE_CNTRL, ONIGENC_CTYPE_DIGIT, ONIGENC_CTYPE_GRAPH,
    ONIGENC_CTYPE_LOWER, ONIGENC_CTYPE_PRINT, ONIGENC_CTYPE_PUNCT, ONIGENC_CTYPE_SPACE, ONIGENC_CTYPE_UPPER, ONIGENC_CTYPE_XDIGIT,
    ONIGENC_CTYPE_WORD, ONIGENC_CTYPE_ALNUM, ONIGENC_CTYPE_ASCII
};
#define ONIGENC_CODE_TO_MBC_MAXLEN 7
#define ONIGENC_MBC_CASE_FOLD_MAXLEN 18
#define ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM 13
#define ONIGENC_CASE_FOLD_MULTI_CHAR (1 << 30)
#define ONIGENC_CASE_FOLD_DEFAULT ONIGENC_CASE_FOLD_MULTI_CHAR
#define ONIGENC_CASE_UPCASE (1 << 13)
#define ONIGENC_CASE_DOWNCASE (1 << 14)
#define ONIGENC_CASE_FOLD (1 << 19)
int carat_mbc_case_fold(OnigCaseFoldType, const OnigUChar **, const OnigUChar *, OnigUChar *, OnigEncoding);
#define ONIGENC_MBC_CASE_FOLD(enc, flag, pp, end, buf) carat_mbc_case_fold((flag), (const OnigUChar **)(pp), (end), (buf), (enc))
#define ONIG_OPTION_DEFAULT ONIG_OPTION_NONE
#define ONIG_OPTION_NONE 0U
#define ONIG_OPTION_IGNORECASE 1U
#define ONIG_OPTION_EXTEND 2U
#define ONIG_OPTION_MULTILINE 4U
#define ONIG_OPTION_DOTALL ONIG_OPTION_MULTILINE
#define ONIG_MISMATCH (-1)
#define ONIG_NORMAL 0
#define ONIG_NREGION 10
#define ONIG_REGION_NOTPOS (-1)
struct re_registers { int allocated; int num_regs; OnigPosition *beg; OnigPosition *end; };
typedef struct re_registers OnigRegion;
typedef struct re_pattern_buffer regex_t;
typedef regex_t *OnigRegex;
/* Programs ask with #ifdef for what are macros in CRuby. */
#define ONIGENC_CTYPE_NEWLINE ONIGENC_CTYPE_NEWLINE
#define ONIGENC_CTYPE_ALPHA ONIGENC_CTYPE_ALPHA
#define ONIGENC_CTYPE_BLANK ONIGENC_CTYPE_BLANK
#define ONIGENC_CTYPE_CNTRL ONIGENC_CTYPE_CNTRL
#define ONIGENC_CTYPE_DIGIT ONIGENC_CTYPE_DIGIT
#define ONIGENC_CTYPE_GRAPH ONIGENC_CTYPE_GRAPH
#define ONIGENC_CTYPE_LOWER ONIGENC_CTYPE_LOWER
#define ONIGENC_CTYPE_PRINT ONIGENC_CTYPE_PRINT
#define ONIGENC_CTYPE_PUNCT ONIGENC_CTYPE_PUNCT
#define ONIGENC_CTYPE_SPACE ONIGENC_CTYPE_SPACE
#define ONIGENC_CTYPE_UPPER ONIGENC_CTYPE_UPPER
#define ONIGENC_CTYPE_XDIGIT ONIGENC_CTYPE_XDIGIT
#define ONIGENC_CTYPE_WORD ONIGENC_CTYPE_WORD
#define ONIGENC_CTYPE_ALNUM ONIGENC_CTYPE_ALNUM
#define ONIGENC_CTYPE_ASCII ONIGENC_CTYPE_ASCII
RUBY_SYMBOL_EXPORT_END
#endif
