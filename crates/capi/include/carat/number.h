/* Numbers. */
#ifndef CARAT_NUMBER_H
#define CARAT_NUMBER_H 1
RUBY_SYMBOL_EXPORT_BEGIN
#define RUBY_FIXNUM_MAX (LONG_MAX / 2)
#define RUBY_FIXNUM_MIN (LONG_MIN / 2)
#define FIXNUM_MAX RUBY_FIXNUM_MAX
#define FIXNUM_MIN RUBY_FIXNUM_MIN
#define RB_POSFIXABLE(n) ((n) <= RUBY_FIXNUM_MAX)
#define RB_NEGFIXABLE(n) ((n) >= RUBY_FIXNUM_MIN)
#define RB_FIXABLE(n) (RB_POSFIXABLE(n) && RB_NEGFIXABLE(n))
#define POSFIXABLE RB_POSFIXABLE
#define NEGFIXABLE RB_NEGFIXABLE
#define FIXABLE RB_FIXABLE
#define RB_INT2FIX(n) ((VALUE)(((unsigned long)(long)(n)) << 1 | RUBY_FIXNUM_FLAG))
static inline long rb_fix2long(VALUE v) { return (long)v >> 1; }
static inline unsigned long rb_fix2ulong(VALUE v) { return (unsigned long)rb_fix2long(v); }
VALUE rb_int2big(intptr_t);
VALUE rb_uint2big(uintptr_t);
VALUE rb_int2inum(intptr_t);
VALUE rb_uint2inum(uintptr_t);
VALUE rb_ll2inum(long long);
VALUE rb_ull2inum(unsigned long long);
long rb_num2long(VALUE);
unsigned long rb_num2ulong(VALUE);
long long rb_num2ll(VALUE);
unsigned long long rb_num2ull(VALUE);
long rb_num2int(VALUE);
long rb_fix2int(VALUE);
unsigned long rb_num2uint(VALUE);
unsigned long rb_fix2uint(VALUE);
short rb_num2short(VALUE);
short rb_fix2short(VALUE);
unsigned short rb_num2ushort(VALUE);
double rb_num2dbl(VALUE);
VALUE rb_num2fix(VALUE);
VALUE rb_fix2str(VALUE, int);
VALUE rb_float_new(double);
double rb_float_value(VALUE);
/* A float in the word itself: rotated, its exponent biased. */
static inline double carat_flonum(VALUE v)
{
    union { double number; uint64_t word; } u;
    if (v == CARAT_FLONUM_ZERO) return 0.0;
    u.word = ((uint64_t)v >> 3 | (uint64_t)v << 61) - CARAT_FLONUM_BIAS;
    return u.number;
}
static inline double carat_float_value(VALUE v) { return RB_FLONUM_P(v) ? carat_flonum(v) : rb_float_value(v); }
static inline double carat_num2dbl(VALUE v)
{
    return RB_FLONUM_P(v) ? carat_flonum(v) : RB_FIXNUM_P(v) ? (double)rb_fix2long(v) : rb_num2dbl(v);
}
static inline VALUE carat_float_new(double number)
{
    union { double number; uint64_t word; } u;
    u.number = number;
    uint64_t biased = u.word + CARAT_FLONUM_BIAS, turned = biased << 3 | biased >> 61, rest = turned ^ CARAT_FLONUM_ZERO;
    return (rest >> 2 | rest << 62) - 1 < (1UL << 62) - 1 ? (VALUE)turned : rb_float_new(number);
}
void rb_out_of_int(SIGNED_VALUE) __attribute__((__noreturn__));
int rb_long2int(long);
#define rb_float_new_in_heap rb_float_new
#define rb_long2int_inline rb_long2int
static inline long carat_num2long(VALUE v) { return RB_FIXNUM_P(v) ? rb_fix2long(v) : rb_num2long(v); }
static inline int carat_num2int(VALUE v) { return RB_FIXNUM_P(v) && rb_fix2long(v) == (int)rb_fix2long(v) ? (int)rb_fix2long(v) : (int)rb_num2int(v); }
static inline VALUE carat_long2num(long n) { return RB_FIXABLE(n) ? RB_INT2FIX(n) : rb_int2big(n); }
static inline VALUE carat_ulong2num(unsigned long n) { return n <= (unsigned long)RUBY_FIXNUM_MAX ? RB_INT2FIX(n) : rb_uint2big(n); }
#define RB_NUM2LONG carat_num2long
#define RB_NUM2INT carat_num2int
#define RB_NUM2ULONG rb_num2ulong
#define RB_NUM2UINT(v) ((unsigned int)rb_num2uint(v))
#define RB_NUM2LL rb_num2ll
#define RB_NUM2ULL rb_num2ull
#define RB_NUM2SHORT rb_num2short
#define RB_NUM2USHORT rb_num2ushort
#define RB_FIX2LONG rb_fix2long
#define RB_FIX2ULONG rb_fix2ulong
#define RB_FIX2INT(v) ((int)rb_fix2int(v))
#define RB_FIX2UINT(v) ((unsigned int)rb_fix2uint(v))
#define RB_FIX2SHORT rb_fix2short
#define RB_INT2NUM(n) carat_long2num((long)(int)(n))
#define RB_UINT2NUM(n) carat_ulong2num((unsigned long)(unsigned int)(n))
#define RB_LONG2NUM(n) carat_long2num(n)
#define RB_ULONG2NUM(n) carat_ulong2num(n)
#define RB_LL2NUM rb_ll2inum
#define RB_ULL2NUM rb_ull2inum
#define RB_SIZE2NUM RB_ULONG2NUM
#define RB_SSIZE2NUM RB_LONG2NUM
#define RB_NUM2SIZE RB_NUM2ULONG
#define RB_NUM2SSIZE RB_NUM2LONG
#define RB_ST2FIX(h) RB_INT2FIX((long)(h))
#define INT2FIX RB_INT2FIX
#define LONG2FIX RB_INT2FIX
#define RB_LONG2FIX RB_INT2FIX
#define FIX2INT RB_FIX2INT
#define FIX2UINT RB_FIX2UINT
#define FIX2LONG RB_FIX2LONG
#define FIX2ULONG RB_FIX2ULONG
#define FIX2SHORT RB_FIX2SHORT
#define NUM2INT RB_NUM2INT
#define NUM2UINT RB_NUM2UINT
#define NUM2LONG RB_NUM2LONG
#define NUM2ULONG RB_NUM2ULONG
#define NUM2LL RB_NUM2LL
#define NUM2ULL RB_NUM2ULL
#define NUM2SHORT RB_NUM2SHORT
#define NUM2USHORT RB_NUM2USHORT
#define NUM2SIZET RB_NUM2SIZE
#define NUM2SSIZET RB_NUM2SSIZE
#define NUM2OFFT RB_NUM2LONG
#define NUM2TIMET RB_NUM2LONG
#define NUM2PIDT RB_NUM2INT
#define NUM2UIDT RB_NUM2UINT
#define NUM2GIDT RB_NUM2UINT
#define NUM2MODET RB_NUM2INT
#define NUM2CLOCKID RB_NUM2INT
#define NUM2DEVT RB_NUM2ULONG
#define NUM2PTR(v) ((void *)RB_NUM2ULONG(v))
#define NUM2DBL carat_num2dbl
#define INT2NUM RB_INT2NUM
#define UINT2NUM RB_UINT2NUM
#define LONG2NUM RB_LONG2NUM
#define ULONG2NUM RB_ULONG2NUM
#define LL2NUM RB_LL2NUM
#define ULL2NUM RB_ULL2NUM
#define USHORT2NUM RB_INT2FIX
#define SIZET2NUM RB_SIZE2NUM
#define SSIZET2NUM RB_SSIZE2NUM
#define OFFT2NUM RB_LONG2NUM
#define TIMET2NUM RB_LONG2NUM
#define PIDT2NUM RB_INT2NUM
#define UIDT2NUM RB_UINT2NUM
#define GIDT2NUM RB_UINT2NUM
#define MODET2NUM RB_UINT2NUM
#define CLOCKID2NUM RB_INT2NUM
#define DEVT2NUM RB_ULONG2NUM
#define PTR2NUM(p) RB_ULONG2NUM((unsigned long)(p))
#define DBL2NUM carat_float_new
#define RFLOAT_VALUE carat_float_value
#define ST2FIX RB_ST2FIX
#define rb_int_new rb_int2inum
#define rb_uint_new rb_uint2inum
#define CHR2FIX(c) RB_INT2FIX((long)(unsigned char)(c))
#define RB_CHR2FIX CHR2FIX
#define FIX_CONST_VALUE_PTR(x) (x)

VALUE rb_num_coerce_bin(VALUE, VALUE, ID);
VALUE rb_num_coerce_cmp(VALUE, VALUE, ID);
VALUE rb_num_coerce_relop(VALUE, VALUE, ID);
VALUE rb_num_coerce_bit(VALUE, VALUE, ID);
void rb_num_zerodiv(void) __attribute__((__noreturn__));
VALUE rb_int_positive_pow(long, unsigned long);
VALUE rb_dbl_cmp(double, double);
VALUE rb_dbl2big(double);
double rb_big2dbl(VALUE);
long rb_big2long(VALUE);
unsigned long rb_big2ulong(VALUE);
long long rb_big2ll(VALUE);
unsigned long long rb_big2ull(VALUE);
VALUE rb_big2str(VALUE, int);
VALUE rb_big_cmp(VALUE, VALUE);
VALUE rb_big_eq(VALUE, VALUE);
VALUE rb_big_eql(VALUE, VALUE);
VALUE rb_big_plus(VALUE, VALUE);
VALUE rb_big_minus(VALUE, VALUE);
VALUE rb_big_mul(VALUE, VALUE);
VALUE rb_big_div(VALUE, VALUE);
VALUE rb_big_idiv(VALUE, VALUE);
VALUE rb_big_modulo(VALUE, VALUE);
VALUE rb_big_divmod(VALUE, VALUE);
VALUE rb_big_pow(VALUE, VALUE);
VALUE rb_big_and(VALUE, VALUE);
VALUE rb_big_or(VALUE, VALUE);
VALUE rb_big_xor(VALUE, VALUE);
VALUE rb_big_lshift(VALUE, VALUE);
VALUE rb_big_rshift(VALUE, VALUE);
VALUE rb_big_norm(VALUE);
VALUE rb_big_hash(VALUE);
int rb_big_sign(VALUE);
void rb_big_pack(VALUE, unsigned long *, long);
VALUE rb_big_unpack(unsigned long *, long);
static inline bool RBIGNUM_POSITIVE_P(VALUE v) { return rb_big_sign(v) != 0; }
#define RBIGNUM_POSITIVE_P RBIGNUM_POSITIVE_P
static inline bool RBIGNUM_NEGATIVE_P(VALUE v) { return rb_big_sign(v) == 0; }
#define RBIGNUM_NEGATIVE_P RBIGNUM_NEGATIVE_P
#define RBIGNUM_SIGN rb_big_sign
#define INTEGER_PACK_MSWORD_FIRST 0x01
#define INTEGER_PACK_LSWORD_FIRST 0x02
#define INTEGER_PACK_MSBYTE_FIRST 0x10
#define INTEGER_PACK_LSBYTE_FIRST 0x20
#define INTEGER_PACK_NATIVE_BYTE_ORDER 0x40
#define INTEGER_PACK_2COMP 0x80
#define INTEGER_PACK_FORCE_BIGNUM 0x100
#define INTEGER_PACK_NEGATIVE 0x200
#define INTEGER_PACK_FORCE_GENERIC 0x400
#define INTEGER_PACK_LITTLE_ENDIAN (INTEGER_PACK_LSWORD_FIRST | INTEGER_PACK_LSBYTE_FIRST)
#define INTEGER_PACK_BIG_ENDIAN (INTEGER_PACK_MSWORD_FIRST | INTEGER_PACK_MSBYTE_FIRST)
int rb_integer_pack(VALUE, void *, size_t, size_t, size_t, int);
VALUE rb_integer_unpack(const void *, size_t, size_t, size_t, int);
size_t rb_absint_size(VALUE, int *);
size_t rb_absint_numwords(VALUE, size_t, size_t *);
int rb_absint_singlebit_p(VALUE);
#define rb_absint_size(v, nlz) rb_absint_size((v), (nlz))
VALUE rb_cstr_to_inum(const char *, int, int);
VALUE rb_cstr2inum(const char *, int);
VALUE rb_str_to_inum(VALUE, int, int);
VALUE rb_str2inum(VALUE, int);
double rb_cstr_to_dbl(const char *, int);
double rb_str_to_dbl(VALUE, int);
VALUE rb_int_parse_cstr(const char *, ssize_t, char **, size_t *, int, int);
enum rb_int_parse_flags {
    RB_INT_PARSE_SIGN = 1, RB_INT_PARSE_UNDERSCORE = 2, RB_INT_PARSE_PREFIX = 4, RB_INT_PARSE_ALL = 7, RB_INT_PARSE_DEFAULT = 7
};
VALUE rb_rational_new(VALUE, VALUE);
VALUE rb_rational_raw(VALUE, VALUE);
VALUE rb_rational_num(VALUE);
VALUE rb_rational_den(VALUE);
VALUE rb_Rational(VALUE, VALUE);
VALUE rb_flt_rationalize(VALUE);
VALUE rb_flt_rationalize_with_prec(VALUE, VALUE);
#define rb_Rational1(n) rb_Rational((n), RB_INT2FIX(1))
#define rb_Rational2(n, d) rb_Rational((n), (d))
#define rb_rational_new1(n) rb_rational_new((n), RB_INT2FIX(1))
#define rb_rational_new2(n, d) rb_rational_new((n), (d))
#define rb_rational_raw1(n) rb_rational_raw((n), RB_INT2FIX(1))
#define rb_rational_raw2(n, d) rb_rational_raw((n), (d))
VALUE rb_complex_new(VALUE, VALUE);
VALUE rb_complex_raw(VALUE, VALUE);
VALUE rb_complex_new_polar(VALUE, VALUE);
VALUE rb_complex_real(VALUE);
VALUE rb_complex_imag(VALUE);
VALUE rb_complex_abs(VALUE);
VALUE rb_complex_plus(VALUE, VALUE);
VALUE rb_complex_minus(VALUE, VALUE);
VALUE rb_complex_mul(VALUE, VALUE);
VALUE rb_complex_div(VALUE, VALUE);
VALUE rb_complex_pow(VALUE, VALUE);
VALUE rb_complex_uminus(VALUE);
VALUE rb_complex_conjugate(VALUE);
VALUE rb_complex_arg(VALUE);
VALUE rb_Complex(VALUE, VALUE);
VALUE rb_dbl_complex_new(double, double);
#define rb_Complex1(n) rb_Complex((n), RB_INT2FIX(0))
#define rb_Complex2(r, i) rb_Complex((r), (i))
#define rb_complex_new1(n) rb_complex_new((n), RB_INT2FIX(0))
#define rb_complex_new2(r, i) rb_complex_new((r), (i))
#define rb_complex_raw1(n) rb_complex_raw((n), RB_INT2FIX(0))
#define rb_complex_raw2(r, i) rb_complex_raw((r), (i))
VALUE rb_random_real_value(VALUE);
double rb_random_real(VALUE);
unsigned int rb_genrand_int32(void);
double rb_genrand_real(void);
unsigned int rb_random_int32(VALUE);
VALUE rb_random_bytes(VALUE, long);
unsigned long rb_genrand_ulong_limited(unsigned long);
unsigned long rb_random_ulong_limited(VALUE, unsigned long);
void rb_reset_random_seed(void);
/* Programs ask with #ifdef for what are macros in CRuby. */
#define RB_INT_PARSE_SIGN RB_INT_PARSE_SIGN
#define RB_INT_PARSE_UNDERSCORE RB_INT_PARSE_UNDERSCORE
#define RB_INT_PARSE_PREFIX RB_INT_PARSE_PREFIX
#define RB_INT_PARSE_ALL RB_INT_PARSE_ALL
#define RB_INT_PARSE_DEFAULT RB_INT_PARSE_DEFAULT
#define rb_long2int rb_long2int
RUBY_SYMBOL_EXPORT_END
#endif
