/* Words of the language that headers and extensions use. */
#ifndef RUBY_DEFINES_H
#define RUBY_DEFINES_H 1
#ifndef _GNU_SOURCE
# define _GNU_SOURCE 1
#endif
#include "ruby/config.h"
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <stdint.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <limits.h>
#include <unistd.h>
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <time.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/select.h>

#ifdef __cplusplus
# define ANYARGS ...
# define RUBY_SYMBOL_EXPORT_BEGIN extern "C" {
# define RUBY_SYMBOL_EXPORT_END }
#else
# if defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L
#  define ANYARGS void
# else
#  define ANYARGS
# endif
# define RUBY_SYMBOL_EXPORT_BEGIN
# define RUBY_SYMBOL_EXPORT_END
#endif
#define BEGIN_DECLS RUBY_SYMBOL_EXPORT_BEGIN
#define END_DECLS RUBY_SYMBOL_EXPORT_END

#define RUBY_EXTERN extern
#define RUBY_FUNC_EXPORTED __attribute__((__visibility__("default"))) extern
#define RUBY_FUNC_NONNULL(n, x) __attribute__((__nonnull__(n))) x
#define NORETURN(x) __attribute__((__noreturn__)) x
#define DEPRECATED(x) __attribute__((__deprecated__)) x
#define DEPRECATED_BY(name, x) __attribute__((__deprecated__)) x
#define NOINLINE(x) __attribute__((__noinline__)) x
#define ALWAYS_INLINE(x) __attribute__((__always_inline__)) x
#define COLDFUNC __attribute__((__cold__))
#define PUREFUNC(x) __attribute__((__pure__)) x
#define CONSTFUNC(x) __attribute__((__const__)) x
#define WARN_UNUSED_RESULT(x) __attribute__((__warn_unused_result__)) x
#define MAYBE_UNUSED(x) __attribute__((__unused__)) x
#define PRINTF_ARGS(decl, string_index, first_to_check) decl __attribute__((__format__(__printf__, string_index, first_to_check)))
#define PACKED_STRUCT(x) x __attribute__((__packed__))
#define PACKED_STRUCT_UNALIGNED(x) PACKED_STRUCT(x)
#define FUNC_STDCALL(x) x
#define FUNC_CDECL(x) x
#define FUNC_FASTCALL(x) x
#define UNREACHABLE __builtin_unreachable()
#define UNREACHABLE_RETURN(value) do { __builtin_unreachable(); return value; } while (0)
#define RB_LIKELY(x) __builtin_expect(!!(x), 1)
#define RB_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define ASSUME(x) ((x) ? (void)0 : __builtin_unreachable())
#define RB_UNUSED_VAR(x) x __attribute__((__unused__))
#define RB_GNUC_EXTENSION __extension__
#define RB_GNUC_EXTENSION_BLOCK(x) __extension__ ({ x; })
#define RUBY_ALIGNAS(n) __attribute__((__aligned__(n)))
#define RUBY_ALIGNOF(type) __alignof__(type)
#ifndef RUBY_DEBUG
# define RUBY_DEBUG 0
#endif
#define RBIMPL_ATTR_NORETURN() __attribute__((__noreturn__))
#define RBIMPL_ATTR_FORMAT(kind, x, y) __attribute__((__format__(__printf__, x, y)))
#define RBIMPL_PRINTF_FORMAT __printf__
#define RBIMPL_ATTR_MAYBE_UNUSED() __attribute__((__unused__))
#define RBIMPL_ATTR_NONNULL(list) __attribute__((__nonnull__ list))
#define RBIMPL_ATTR_COLD() __attribute__((__cold__))
#define RBIMPL_ATTR_PURE() __attribute__((__pure__))
#define RBIMPL_ATTR_CONST() __attribute__((__const__))
#define RBIMPL_ATTR_NOALIAS()
#define RBIMPL_ATTR_ARTIFICIAL()
#define RBIMPL_ATTR_FORCEINLINE() __attribute__((__always_inline__)) inline
#define RBIMPL_NONNULL_ARG(x) ((void)0)
#define RBIMPL_ASSERT_OR_ASSUME(x) ASSUME(x)
#define RBIMPL_UNREACHABLE_RETURN(value) UNREACHABLE_RETURN(value)
#define RBIMPL_CAST(x) (x)
#define RBIMPL_HAS_BUILTIN(x) __has_builtin(x)
#define RBIMPL_HAS_WARNING(x) 0
#define RBIMPL_WARNING_PUSH() _Pragma("GCC diagnostic push")
#define RBIMPL_WARNING_POP() _Pragma("GCC diagnostic pop")
#define RBIMPL_WARNING_IGNORED(x)
#ifdef __cplusplus
# define RBIMPL_STATIC_ASSERT(name, x) static_assert(x, #name)
#else
# define RBIMPL_STATIC_ASSERT(name, x) _Static_assert(x, #name)
#endif
#define STRINGIZE0(x) #x
#define STRINGIZE(x) STRINGIZE0(x)
#define TOKEN_PASTE(x, y) x##y
#define numberof(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define LONG_LONG long long
#define ENUM_OVER_INT 1
#define _(args) args
#define __(args) args

typedef unsigned long VALUE;
typedef unsigned long ID;
typedef long SIGNED_VALUE;
typedef pid_t rb_pid_t;
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_uid_t rb_uid_t
#define rb_gid_t rb_gid_t
#define rb_pid_t rb_pid_t
typedef uid_t rb_uid_t;
typedef gid_t rb_gid_t;
typedef struct OnigEncodingTypeST rb_encoding;
struct re_registers;
#define SIGNED_VALUE SIGNED_VALUE
#define HAVE_RB_EXT_RACTOR_SAFE 1
#define PRI_VALUE_PREFIX "l"
#define PRI_LONG_PREFIX "l"
#define PRI_64_PREFIX "l"
#define PRI_LL_PREFIX "ll"
#define PRI_SIZE_PREFIX "z"
#define PRI_INTPTR_PREFIX "l"
#define PRI_PTRDIFF_PREFIX "t"
#define PRI_TIMET_PREFIX "l"
#define PRI_PIDT_PREFIX ""
#define PRI_OFFT_PREFIX "l"
/* What rb_sprintf and its like take for a VALUE: the byte behind the conversion tells it from a long. */
#define RUBY_PRI_VALUE_MARK "\v"
#define PRIdVALUE PRI_VALUE_PREFIX "d"
#define PRIoVALUE PRI_VALUE_PREFIX "o"
#define PRIuVALUE PRI_VALUE_PREFIX "u"
#define PRIxVALUE PRI_VALUE_PREFIX "x"
#define PRIXVALUE PRI_VALUE_PREFIX "X"
#define PRIsVALUE PRI_VALUE_PREFIX "i" RUBY_PRI_VALUE_MARK
#define PRIdLONG "ld"
#define PRIuLONG "lu"
#define PRIdSIZE "zd"
#define PRIiSIZE "zi"
#define PRIuSIZE "zu"
#define PRIxSIZE "zx"
#define PRIdPTRDIFF "td"
#define PRIsTIMET "ld"
#define PRIdTIMET "ld"
#define PRIuTIMET "lu"
#define PRIdOFFT "ld"
#define PRIdPIDT "d"
/* What must hold. */
#define RUBY_ASSERT_ALWAYS(condition, ...) ((condition) ? (void)0 : rb_bug("Assertion failed: %s:%d:%s", __FILE__, __LINE__, #condition))
#if defined(RUBY_DEBUG) && RUBY_DEBUG
#define RUBY_ASSERT RUBY_ASSERT_ALWAYS
#else
#define RUBY_ASSERT(condition, ...) ((void)0)
#endif
#define RUBY_ASSERT_MESG(condition, ...) RUBY_ASSERT(condition)
#define RUBY_ASSERT_MESG_WHEN(when, condition, ...) ((when) ? RUBY_ASSERT_ALWAYS(condition) : (void)0)
#define RUBY_ASSERT_WHEN(when, condition, ...) RUBY_ASSERT_MESG_WHEN(when, condition)
#endif
