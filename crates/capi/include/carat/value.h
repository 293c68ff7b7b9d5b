/* Values: numbers, symbols and special constants in the word itself, everything else an address. */
#ifndef CARAT_VALUE_H
#define CARAT_VALUE_H 1
RUBY_SYMBOL_EXPORT_BEGIN

/* The file that includes this says which interface it was compiled for: the loader looks for the name. */
__attribute__((__weak__, __used__, __visibility__("default"))) int carat_abi_1 = 1;

/* Inside arrays and structs, where C code may look, false is the word below; everywhere else it is 0. */
#define CARAT_INNER_FALSE 0x0CUL
/* What is added to a double before it is rotated into a word, and the word of 0.0. */
#define CARAT_FLONUM_BIAS (1UL << 60)
#define CARAT_FLONUM_ZERO 0x02UL
/* C code was given the address of the string's bytes or the array's elements. */
#define CARAT_EXPOSED (1UL << 31)
/* A string that warns when it is first written to; one whose first writing is to be noticed, warning or not. */
#define CARAT_WARNS (1UL << 25)
#define CARAT_CHILLED (CARAT_WARNS | 1UL << 27)

enum ruby_special_consts {
    RUBY_Qfalse = 0x00, RUBY_Qnil = 0x04, RUBY_Qtrue = 0x14, RUBY_Qundef = 0x1C,
    RUBY_IMMEDIATE_MASK = 0x07, RUBY_FIXNUM_FLAG = 0x01, RUBY_FLONUM_MASK = 0x03, RUBY_FLONUM_FLAG = 0x02,
    RUBY_SYMBOL_FLAG = 0x24, RUBY_SPECIAL_SHIFT = 8
};
#define Qfalse ((VALUE)RUBY_Qfalse)
#define Qnil ((VALUE)RUBY_Qnil)
#define Qtrue ((VALUE)RUBY_Qtrue)
#define Qundef ((VALUE)RUBY_Qundef)
#define FIXNUM_FLAG RUBY_FIXNUM_FLAG
#define IMMEDIATE_MASK RUBY_IMMEDIATE_MASK
#define SYMBOL_FLAG RUBY_SYMBOL_FLAG

static inline bool RB_TEST(VALUE v) { return (v & ~CARAT_INNER_FALSE) != 0; }
#define RB_TEST RB_TEST
static inline bool RB_NIL_P(VALUE v) { return v == Qnil; }
#define RB_NIL_P RB_NIL_P
static inline bool RB_UNDEF_P(VALUE v) { return v == Qundef; }
static inline bool RB_NIL_OR_UNDEF_P(VALUE v) { return v == Qnil || v == Qundef; }
static inline bool RB_FIXNUM_P(VALUE v) { return (v & RUBY_FIXNUM_FLAG) != 0; }
#define RB_FIXNUM_P RB_FIXNUM_P
static inline bool RB_FLONUM_P(VALUE v) { return (v & RUBY_FLONUM_MASK) == RUBY_FLONUM_FLAG; }
#define RB_FLONUM_P RB_FLONUM_P
static inline bool RB_STATIC_SYM_P(VALUE v) { return (v & 0xFF) == RUBY_SYMBOL_FLAG; }
#define RB_STATIC_SYM_P RB_STATIC_SYM_P
static inline bool RB_DYNAMIC_SYM_P(VALUE v) { (void)v; return false; }
#define RB_DYNAMIC_SYM_P RB_DYNAMIC_SYM_P
static inline bool RB_SYMBOL_P(VALUE v) { return RB_STATIC_SYM_P(v); }
#define RB_SYMBOL_P RB_SYMBOL_P
static inline bool RB_IMMEDIATE_P(VALUE v) { return (v & RUBY_IMMEDIATE_MASK) != 0; }
#define RB_IMMEDIATE_P RB_IMMEDIATE_P
static inline bool RB_SPECIAL_CONST_P(VALUE v) { return RB_IMMEDIATE_P(v) || v == 0; }
#define RB_SPECIAL_CONST_P RB_SPECIAL_CONST_P
static inline VALUE rb_special_const_p(VALUE v) { return RB_SPECIAL_CONST_P(v) ? Qtrue : Qfalse; }
#define RTEST RB_TEST
#define NIL_P RB_NIL_P
#define UNDEF_P RB_UNDEF_P
#define FIXNUM_P RB_FIXNUM_P
#define FLONUM_P RB_FLONUM_P
#define STATIC_SYM_P RB_STATIC_SYM_P
#define DYNAMIC_SYM_P RB_DYNAMIC_SYM_P
#define SYMBOL_P RB_SYMBOL_P
#define IMMEDIATE_P RB_IMMEDIATE_P
#define SPECIAL_CONST_P RB_SPECIAL_CONST_P

enum ruby_value_type {
    RUBY_T_NONE = 0x00, RUBY_T_OBJECT = 0x01, RUBY_T_CLASS = 0x02, RUBY_T_MODULE = 0x03, RUBY_T_FLOAT = 0x04,
    RUBY_T_STRING = 0x05, RUBY_T_REGEXP = 0x06, RUBY_T_ARRAY = 0x07, RUBY_T_HASH = 0x08, RUBY_T_STRUCT = 0x09,
    RUBY_T_BIGNUM = 0x0a, RUBY_T_FILE = 0x0b, RUBY_T_DATA = 0x0c, RUBY_T_MATCH = 0x0d, RUBY_T_COMPLEX = 0x0e,
    RUBY_T_RATIONAL = 0x0f, RUBY_T_NIL = 0x11, RUBY_T_TRUE = 0x12, RUBY_T_FALSE = 0x13, RUBY_T_SYMBOL = 0x14,
    RUBY_T_FIXNUM = 0x15, RUBY_T_UNDEF = 0x16, RUBY_T_IMEMO = 0x1a, RUBY_T_NODE = 0x1b, RUBY_T_ICLASS = 0x1c,
    RUBY_T_ZOMBIE = 0x1d, RUBY_T_MOVED = 0x1e, RUBY_T_MASK = 0x1f
};
#define T_NONE RUBY_T_NONE
#define T_OBJECT RUBY_T_OBJECT
#define T_CLASS RUBY_T_CLASS
#define T_MODULE RUBY_T_MODULE
#define T_FLOAT RUBY_T_FLOAT
#define T_STRING RUBY_T_STRING
#define T_REGEXP RUBY_T_REGEXP
#define T_ARRAY RUBY_T_ARRAY
#define T_HASH RUBY_T_HASH
#define T_STRUCT RUBY_T_STRUCT
#define T_BIGNUM RUBY_T_BIGNUM
#define T_FILE RUBY_T_FILE
#define T_DATA RUBY_T_DATA
#define T_MATCH RUBY_T_MATCH
#define T_COMPLEX RUBY_T_COMPLEX
#define T_RATIONAL RUBY_T_RATIONAL
#define T_NIL RUBY_T_NIL
#define T_TRUE RUBY_T_TRUE
#define T_FALSE RUBY_T_FALSE
#define T_SYMBOL RUBY_T_SYMBOL
#define T_FIXNUM RUBY_T_FIXNUM
#define T_UNDEF RUBY_T_UNDEF
#define T_IMEMO RUBY_T_IMEMO
#define T_NODE RUBY_T_NODE
#define T_ICLASS RUBY_T_ICLASS
#define T_ZOMBIE RUBY_T_ZOMBIE
#define T_MOVED RUBY_T_MOVED
#define T_MASK RUBY_T_MASK

/* The first word of every object on the heap. What the bits above the flags mean is Carat's own affair. */
struct RBasic { VALUE flags; };
#define RBASIC(object) ((struct RBasic *)(object))
enum ruby_fl_type { RUBY_FL_FREEZE = 1 << 9, RUBY_FL_USHIFT = 16 };
#define RUBY_FL_EXIVAR 0
#define RUBY_FL_PROMOTED 0
#define RUBY_FL_WB_PROTECTED 0
#define RUBY_FL_SINGLETON 0
#define RUBY_FL_USER0 (1UL << 16)
#define RUBY_FL_USER1 (1UL << 17)
#define RUBY_FL_USER2 (1UL << 18)
#define RUBY_FL_USER3 (1UL << 19)
#define RUBY_FL_USER4 (1UL << 20)
#define RUBY_FL_USER5 (1UL << 21)
#define RUBY_FL_USER6 (1UL << 22)
#define RUBY_FL_USER7 (1UL << 23)
#define FL_FREEZE RUBY_FL_FREEZE
#define FL_USHIFT RUBY_FL_USHIFT
#define FL_SINGLETON RUBY_FL_SINGLETON
#define FL_EXIVAR RUBY_FL_EXIVAR
#define FL_PROMOTED RUBY_FL_PROMOTED
#define FL_WB_PROTECTED RUBY_FL_WB_PROTECTED
#define FL_USER0 RUBY_FL_USER0
#define FL_USER1 RUBY_FL_USER1
#define FL_USER2 RUBY_FL_USER2
#define FL_USER3 RUBY_FL_USER3
#define FL_USER4 RUBY_FL_USER4
#define FL_USER5 RUBY_FL_USER5
#define FL_USER6 RUBY_FL_USER6
#define FL_USER7 RUBY_FL_USER7
#define FL_TAINT 0
#define FL_UNTRUSTED 0
/* Carat's own numbers of types, in the lowest five bits of the first word. */
enum carat_heap_type {
    CARAT_OBJECT = 1, CARAT_FLOAT = 5, CARAT_STRING = 6, CARAT_ARRAY = 8, CARAT_HASH = 9, CARAT_STRUCT = 10, CARAT_BIGNUM = 11,
    CARAT_DATA = 12, CARAT_CDATA = 24
};
static inline int carat_heap_type(VALUE v) { return (int)(RBASIC(v)->flags & 0x1F); }
/* The flags of FL_USER0 and its like belong to C code in wrapped structs and plain objects. Elsewhere the bits are Carat's. */
#define CARAT_USER_FLAGS 0xFF0000UL
void carat_hash_default_is_proc(VALUE);
static inline VALUE carat_kept_flags(VALUE v, VALUE flags)
{
    if (!(flags & CARAT_USER_FLAGS)) return flags;
    int type = carat_heap_type(v);
    return type == CARAT_CDATA || type == CARAT_OBJECT ? flags : flags & ~CARAT_USER_FLAGS;
}
static inline bool RB_FL_ABLE(VALUE v) { return !RB_SPECIAL_CONST_P(v) && v != CARAT_INNER_FALSE; }
#define RB_FL_ABLE RB_FL_ABLE
/* What CRuby keeps in FL_USER2 and FL_USER3 of a string: that it warns when it is first written to, as a literal or as a symbol's name. */
static inline VALUE carat_chilled_flags(VALUE bits)
{
    if (!(bits & CARAT_WARNS)) return 0;
    return (bits & CARAT_CHILLED) == CARAT_CHILLED ? RUBY_FL_USER3 : RUBY_FL_USER2;
}
static inline VALUE RB_FL_TEST_RAW(VALUE v, VALUE flags)
{
    VALUE bits = RBASIC(v)->flags;
    if (flags & CARAT_USER_FLAGS && carat_heap_type(v) == CARAT_STRING)
        return (bits & flags & ~CARAT_USER_FLAGS) | (carat_chilled_flags(bits) & flags);
    return bits & carat_kept_flags(v, flags);
}
#define RB_FL_TEST_RAW RB_FL_TEST_RAW
static inline VALUE RB_FL_TEST(VALUE v, VALUE flags) { return RB_FL_ABLE(v) ? RB_FL_TEST_RAW(v, flags) : 0; }
#define RB_FL_TEST RB_FL_TEST
static inline VALUE RB_FL_ANY_RAW(VALUE v, VALUE flags) { return RB_FL_TEST_RAW(v, flags); }
#define RB_FL_ANY_RAW RB_FL_ANY_RAW
static inline bool RB_FL_ANY(VALUE v, VALUE flags) { return RB_FL_TEST(v, flags) != 0; }
#define RB_FL_ANY RB_FL_ANY
static inline bool RB_FL_ALL(VALUE v, VALUE flags) { return RB_FL_TEST(v, flags) == flags; }
#define RB_FL_ALL RB_FL_ALL
static inline bool RB_FL_ALL_RAW(VALUE v, VALUE flags) { return RB_FL_TEST_RAW(v, flags) == flags; }
#define RB_FL_ALL_RAW RB_FL_ALL_RAW
static inline void RB_FL_SET_RAW(VALUE v, VALUE flags)
{
    RBASIC(v)->flags |= carat_kept_flags(v, flags);
    /* rbtree says so that a hash's default is a Proc to call. */
    if (flags & RUBY_FL_USER2 && carat_heap_type(v) == CARAT_HASH) carat_hash_default_is_proc(v);
}
#define RB_FL_SET_RAW RB_FL_SET_RAW
static inline void RB_FL_SET(VALUE v, VALUE flags) { if (RB_FL_ABLE(v)) RB_FL_SET_RAW(v, flags); }
#define RB_FL_SET RB_FL_SET
static inline void RB_FL_UNSET_RAW(VALUE v, VALUE flags) { RBASIC(v)->flags &= ~carat_kept_flags(v, flags); }
#define RB_FL_UNSET_RAW RB_FL_UNSET_RAW
static inline void RB_FL_UNSET(VALUE v, VALUE flags) { if (RB_FL_ABLE(v)) RB_FL_UNSET_RAW(v, flags); }
#define RB_FL_UNSET RB_FL_UNSET
static inline void RB_FL_REVERSE(VALUE v, VALUE flags) { if (RB_FL_ABLE(v)) RBASIC(v)->flags ^= carat_kept_flags(v, flags); }
#define RB_FL_REVERSE RB_FL_REVERSE
#define FL_ABLE RB_FL_ABLE
#define FL_TEST RB_FL_TEST
#define FL_TEST_RAW RB_FL_TEST_RAW
#define FL_ANY RB_FL_ANY
#define FL_ANY_RAW RB_FL_ANY_RAW
#define FL_ALL RB_FL_ALL
#define FL_ALL_RAW RB_FL_ALL_RAW
#define FL_SET RB_FL_SET
#define FL_SET_RAW RB_FL_SET_RAW
#define FL_UNSET RB_FL_UNSET
#define FL_UNSET_RAW RB_FL_UNSET_RAW
#define FL_REVERSE RB_FL_REVERSE

int rb_builtin_type(VALUE);
static inline int RB_BUILTIN_TYPE(VALUE v)
{
    switch (carat_heap_type(v)) {
      case CARAT_STRING: return RUBY_T_STRING;
      case CARAT_ARRAY: return RUBY_T_ARRAY;
      case CARAT_HASH: return RUBY_T_HASH;
      case CARAT_CDATA: return RUBY_T_DATA;
      default: return rb_builtin_type(v);
    }
}
#define RB_BUILTIN_TYPE RB_BUILTIN_TYPE
static inline int rb_type(VALUE v)
{
    if (RB_FIXNUM_P(v)) return RUBY_T_FIXNUM;
    if (RB_FLONUM_P(v)) return RUBY_T_FLOAT;
    if (RB_STATIC_SYM_P(v)) return RUBY_T_SYMBOL;
    switch (v) {
      case RUBY_Qnil: return RUBY_T_NIL;
      case RUBY_Qtrue: return RUBY_T_TRUE;
      case RUBY_Qundef: return RUBY_T_UNDEF;
      case RUBY_Qfalse: case CARAT_INNER_FALSE: return RUBY_T_FALSE;
      default: return RB_BUILTIN_TYPE(v);
    }
}
static inline bool RB_TYPE_P(VALUE v, int type) { return rb_type(v) == type; }
#define RB_TYPE_P RB_TYPE_P
static inline bool RB_FLOAT_TYPE_P(VALUE v) { return RB_FLONUM_P(v) || (RB_FL_ABLE(v) && carat_heap_type(v) == CARAT_FLOAT); }
#define RB_FLOAT_TYPE_P RB_FLOAT_TYPE_P
static inline bool rb_integer_type_p(VALUE v) { return RB_FIXNUM_P(v) || (RB_FL_ABLE(v) && carat_heap_type(v) == CARAT_BIGNUM); }
#define RB_INTEGER_TYPE_P rb_integer_type_p
#define rb_type_p RB_TYPE_P
#define TYPE_P RB_TYPE_P
#define TYPE rb_type
#define BUILTIN_TYPE RB_BUILTIN_TYPE
void rb_check_type(VALUE, int);
void rb_unexpected_type(VALUE, int);
static inline void Check_Type(VALUE v, int type) { if (rb_type(v) != type || type == RUBY_T_DATA) rb_check_type(v, type); }
#define Check_Type Check_Type

static inline bool RB_OBJ_FROZEN_RAW(VALUE v) { return RB_FL_TEST_RAW(v, RUBY_FL_FREEZE) != 0; }
#define RB_OBJ_FROZEN_RAW RB_OBJ_FROZEN_RAW
static inline bool RB_OBJ_FROZEN(VALUE v) { return !RB_FL_ABLE(v) || RB_OBJ_FROZEN_RAW(v); }
#define RB_OBJ_FROZEN RB_OBJ_FROZEN
VALUE rb_obj_freeze(VALUE);
void rb_check_frozen(VALUE);
/* The function tells what may be written to from what may not; most objects need not ask it. */
static inline void carat_check_frozen(VALUE v)
{
    if (!RB_FL_ABLE(v) || RB_FL_ANY_RAW(v, RUBY_FL_FREEZE | CARAT_CHILLED)) rb_check_frozen(v);
}
#define rb_check_frozen carat_check_frozen
static inline VALUE carat_freeze(VALUE v) { return RB_OBJ_FROZEN(v) ? v : rb_obj_freeze(v); }
void rb_error_frozen(const char *);
void rb_error_frozen_object(VALUE);
#define rb_obj_freeze carat_freeze
#define rb_obj_freeze_inline carat_freeze
#define RB_OBJ_FREEZE carat_freeze
#define RB_OBJ_FREEZE_RAW(v) ((void)carat_freeze(v))
#define OBJ_FROZEN RB_OBJ_FROZEN
#define OBJ_FROZEN_RAW RB_OBJ_FROZEN_RAW
#define OBJ_FREEZE RB_OBJ_FREEZE
#define OBJ_FREEZE_RAW RB_OBJ_FREEZE_RAW
#define OBJ_TAINT(v) ((void)(v))
#define OBJ_UNTRUST(v) ((void)(v))
#define OBJ_TAINTED(v) (0)
#define OBJ_INFECT(a, b) ((void)(a), (void)(b))
#define RB_OBJ_TAINT OBJ_TAINT
#define RB_OBJ_INFECT OBJ_INFECT
#define rb_check_frozen_internal rb_check_frozen

#define RUBY_EVENT_NONE 0x0000
/* Programs ask with #ifdef for what are macros in CRuby. */
#define RUBY_Qfalse RUBY_Qfalse
#define RUBY_Qnil RUBY_Qnil
#define RUBY_Qtrue RUBY_Qtrue
#define RUBY_Qundef RUBY_Qundef
#define RB_UNDEF_P RB_UNDEF_P
#define RB_NIL_OR_UNDEF_P RB_NIL_OR_UNDEF_P
RUBY_SYMBOL_EXPORT_END
#endif
