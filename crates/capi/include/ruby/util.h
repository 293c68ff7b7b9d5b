/* Small functions. */
#ifndef RUBY_UTIL_H
#define RUBY_UTIL_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
extern const signed char ruby_digit36_to_number_table[];
extern const char ruby_hexdigits[];
unsigned long ruby_scan_oct(const char *, size_t, size_t *);
unsigned long ruby_scan_hex(const char *, size_t, size_t *);
unsigned long ruby_scan_digits(const char *, ssize_t, int, size_t *, int *);
char *ruby_strdup(const char *);
char *ruby_getcwd(void);
double ruby_strtod(const char *, char **);
void ruby_qsort(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void ruby_each_words(const char *, void (*)(const char *, int, void *), void *);
#define scan_oct(s, l, e) ((int)ruby_scan_oct((s), (l), (e)))
#define scan_hex(s, l, e) ((int)ruby_scan_hex((s), (l), (e)))
#define DECIMAL_SIZE_OF_BITS(n) (((n) * 3010 + 9998) / 9999)
#define DECIMAL_SIZE_OF(type) DECIMAL_SIZE_OF_BITS(sizeof(type) * CHAR_BIT)
#ifndef strtod
# define strtod(s, e) ruby_strtod((s), (e))
#endif
/* Programs ask with #ifdef for what are macros in CRuby. */
#define ruby_qsort ruby_qsort
RUBY_SYMBOL_EXPORT_END
#endif
