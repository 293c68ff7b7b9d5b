/* Exceptions, blocks, procs, threads of control. */
#ifndef CARAT_CONTROL_H
#define CARAT_CONTROL_H 1
RUBY_SYMBOL_EXPORT_BEGIN
void rb_raise(VALUE, const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 2, 3)));
void rb_fatal(const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 1, 2)));
void rb_bug(const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 1, 2)));
void rb_sys_fail(const char *) __attribute__((__noreturn__));
void rb_sys_fail_str(VALUE) __attribute__((__noreturn__));
void rb_mod_sys_fail(VALUE, const char *) __attribute__((__noreturn__));
void rb_syserr_fail(int, const char *) __attribute__((__noreturn__));
void rb_syserr_fail_str(int, VALUE) __attribute__((__noreturn__));
void rb_exc_raise(VALUE) __attribute__((__noreturn__));
void rb_exc_fatal(VALUE) __attribute__((__noreturn__));
void rb_notimplement(void) __attribute__((__noreturn__));
void rb_name_error(ID, const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 2, 3)));
void rb_loaderror(const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 1, 2)));
void rb_frozen_error_raise(VALUE, const char *, ...) __attribute__((__noreturn__, __format__(__printf__, 2, 3)));
void rb_invalid_str(const char *, const char *) __attribute__((__noreturn__));
void rb_exit(int) __attribute__((__noreturn__));
void rb_warn(const char *, ...) __attribute__((__format__(__printf__, 1, 2)));
void rb_warning(const char *, ...) __attribute__((__format__(__printf__, 1, 2)));
void rb_sys_warning(const char *, ...) __attribute__((__format__(__printf__, 1, 2)));
void rb_write_warning_str(VALUE);
typedef enum { RB_WARN_CATEGORY_NONE, RB_WARN_CATEGORY_DEPRECATED, RB_WARN_CATEGORY_EXPERIMENTAL, RB_WARN_CATEGORY_PERFORMANCE } rb_warning_category_t;
bool rb_warning_category_enabled_p(rb_warning_category_t);
void rb_category_warn(rb_warning_category_t, const char *, ...) __attribute__((__format__(__printf__, 2, 3)));
void rb_category_warning(rb_warning_category_t, const char *, ...) __attribute__((__format__(__printf__, 2, 3)));
VALUE *rb_ruby_verbose_ptr(void);
VALUE *rb_ruby_debug_ptr(void);
#define ruby_verbose (*rb_ruby_verbose_ptr())
#define ruby_debug (*rb_ruby_debug_ptr())
VALUE rb_exc_new(VALUE, const char *, long);
VALUE rb_exc_new_cstr(VALUE, const char *);
VALUE rb_exc_new_str(VALUE, VALUE);
#define rb_exc_new2 rb_exc_new_cstr
#define rb_exc_new3 rb_exc_new_str
VALUE rb_syserr_new(int, const char *);
VALUE rb_syserr_new_str(int, VALUE);
VALUE rb_make_exception(int, const VALUE *);
VALUE rb_make_backtrace(void);
VALUE rb_errinfo(void);
void rb_set_errinfo(VALUE);
void rb_backtrace(void);
void rb_set_end_proc(void (*)(VALUE), VALUE);
void rb_eof_error(void) __attribute__((__noreturn__));
void rb_readwrite_syserr_fail(int, int, const char *) __attribute__((__noreturn__));
enum rb_io_wait_readwrite { RB_IO_WAIT_READABLE, RB_IO_WAIT_WRITABLE };
void rb_readwrite_sys_fail(enum rb_io_wait_readwrite, const char *) __attribute__((__noreturn__));
VALUE rb_protect(VALUE (*)(VALUE), VALUE, int *);
VALUE rb_ensure(VALUE (*)(ANYARGS), VALUE, VALUE (*)(ANYARGS), VALUE);
VALUE rb_rescue(VALUE (*)(ANYARGS), VALUE, VALUE (*)(ANYARGS), VALUE);
VALUE rb_rescue2(VALUE (*)(ANYARGS), VALUE, VALUE (*)(ANYARGS), VALUE, ...);
VALUE rb_vrescue2(VALUE (*)(ANYARGS), VALUE, VALUE (*)(ANYARGS), VALUE, va_list);
void rb_jump_tag(int) __attribute__((__noreturn__));
VALUE rb_catch(const char *, VALUE (*)(ANYARGS), VALUE);
VALUE rb_catch_obj(VALUE, VALUE (*)(ANYARGS), VALUE);
void rb_throw(const char *, VALUE) __attribute__((__noreturn__));
void rb_throw_obj(VALUE, VALUE) __attribute__((__noreturn__));
#define rb_protect(f, a, s) rb_protect((VALUE (*)(VALUE))(f), (VALUE)(a), (s))
#define rb_ensure(f, a, g, b) rb_ensure(RUBY_METHOD_FUNC(f), (VALUE)(a), RUBY_METHOD_FUNC(g), (VALUE)(b))
#define rb_rescue(f, a, g, b) rb_rescue(RUBY_METHOD_FUNC(f), (VALUE)(a), RUBY_METHOD_FUNC(g), (VALUE)(b))
#define rb_rescue2(f, a, g, b, ...) rb_rescue2(RUBY_METHOD_FUNC(f), (VALUE)(a), RUBY_METHOD_FUNC(g), (VALUE)(b), __VA_ARGS__)
#define rb_catch(t, f, d) rb_catch((t), RUBY_METHOD_FUNC(f), (VALUE)(d))
#define rb_catch_obj(t, f, d) rb_catch_obj((t), RUBY_METHOD_FUNC(f), (VALUE)(d))

#define RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg) \
    VALUE yielded_arg, VALUE callback_arg, int argc, const VALUE *argv, VALUE blockarg
#define RB_BLOCK_CALL_FUNC_STRICT 1
#define RUBY_BLOCK_CALL_FUNC_TAKES_BLOCKARG 1
#define HAVE_RB_BLOCK_CALL 1
typedef VALUE rb_block_call_func(RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg));
typedef rb_block_call_func *rb_block_call_func_t;
int rb_block_given_p(void);
void rb_need_block(void);
VALUE rb_yield(VALUE);
VALUE rb_yield_values(int, ...);
VALUE rb_yield_values2(int, const VALUE *);
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(CARAT_SHIM)
/* As `rb_funcall`. */
#define rb_yield_values(count, ...) __extension__({ \
    const int carat_count = (count); \
    const VALUE carat_list[] = {__VA_ARGS__}; \
    const int carat_given = (int)(sizeof(carat_list) / sizeof(VALUE)); \
    rb_yield_values2(carat_count < carat_given ? carat_count : carat_given, carat_given ? carat_list : 0); \
})
#endif
VALUE rb_yield_values_kw(int, const VALUE *, int);
VALUE rb_yield_splat(VALUE);
VALUE rb_yield_splat_kw(VALUE, int);
VALUE rb_yield_block(RB_BLOCK_CALL_FUNC_ARGLIST(yielded_arg, callback_arg));
VALUE rb_block_call(VALUE, ID, int, const VALUE *, rb_block_call_func_t, VALUE);
VALUE rb_block_call_kw(VALUE, ID, int, const VALUE *, rb_block_call_func_t, VALUE, int);
VALUE rb_lambda_call(VALUE, ID, int, const VALUE *, rb_block_call_func_t, int, int, VALUE);
VALUE rb_iterate(VALUE (*)(VALUE), VALUE, rb_block_call_func_t, VALUE);
VALUE rb_each(VALUE);
VALUE rb_block_proc(void);
VALUE rb_block_lambda(void);
VALUE rb_proc_new(rb_block_call_func_t, VALUE);
VALUE rb_proc_call(VALUE, VALUE);
VALUE rb_proc_call_kw(VALUE, VALUE, int);
VALUE rb_proc_call_with_block(VALUE, int, const VALUE *, VALUE);
VALUE rb_proc_call_with_block_kw(VALUE, int, const VALUE *, VALUE, int);
int rb_proc_arity(VALUE);
VALUE rb_proc_lambda_p(VALUE);
void rb_iter_break(void) __attribute__((__noreturn__));
void rb_iter_break_value(VALUE) __attribute__((__noreturn__));
#define rb_block_call(o, m, c, v, f, d) rb_block_call((o), (m), (c), (v), (rb_block_call_func_t)(f), (VALUE)(d))
#define rb_proc_new(f, d) rb_proc_new((rb_block_call_func_t)(f), (VALUE)(d))

ID rb_frame_this_func(void);
ID rb_frame_callee(void);
int rb_frame_method_id_and_class(ID *, VALUE *);
const char *rb_sourcefile(void);
int rb_sourceline(void);
const char *rb_source_location_cstr(int *);
VALUE rb_fiber_new(rb_block_call_func_t, VALUE);
VALUE rb_fiber_new_storage(rb_block_call_func_t, VALUE, VALUE);
VALUE rb_fiber_resume(VALUE, int, const VALUE *);
VALUE rb_fiber_resume_kw(VALUE, int, const VALUE *, int);
VALUE rb_fiber_yield(int, const VALUE *);
VALUE rb_fiber_transfer(VALUE, int, const VALUE *);
VALUE rb_fiber_raise(VALUE, int, const VALUE *);
VALUE rb_fiber_current(void);
VALUE rb_fiber_alive_p(VALUE);
VALUE rb_mutex_new(void);
VALUE rb_mutex_lock(VALUE);
VALUE rb_mutex_unlock(VALUE);
VALUE rb_mutex_trylock(VALUE);
VALUE rb_mutex_locked_p(VALUE);
VALUE rb_mutex_sleep(VALUE, VALUE);
VALUE rb_mutex_synchronize(VALUE, VALUE (*)(VALUE), VALUE);
VALUE rb_thread_create(VALUE (*)(void *), void *);
VALUE rb_thread_current(void);
VALUE rb_thread_main(void);
VALUE rb_thread_alone(void);
VALUE rb_thread_local_aref(VALUE, ID);
VALUE rb_thread_local_aset(VALUE, ID, VALUE);
VALUE rb_thread_wakeup(VALUE);
VALUE rb_thread_wakeup_alive(VALUE);
VALUE rb_thread_run(VALUE);
VALUE rb_thread_kill(VALUE);
VALUE rb_thread_stop(void);
void rb_thread_schedule(void);
void rb_thread_check_ints(void);
int rb_thread_interrupted(VALUE);
void rb_thread_wait_for(struct timeval);
void rb_thread_sleep(int);
void rb_thread_sleep_forever(void);
void rb_thread_sleep_deadly(void);
void rb_thread_wait_fd(int);
int rb_thread_fd_writable(int);
void rb_thread_fd_close(int);
void rb_thread_atfork(void);
int rb_wait_for_single_fd(int, int, struct timeval *);
int rb_thread_wait_for_single_fd(VALUE, int, int, struct timeval *);
#define RB_WAITFD_IN 0x001
#define RB_WAITFD_PRI 0x002
#define RB_WAITFD_OUT 0x004
#define rb_thread_create(f, a) rb_thread_create((VALUE (*)(void *))(f), (void *)(a))
#define RUBY_VM_CHECK_INTS rb_thread_check_ints()
#define CHECK_INTS rb_thread_check_ints()
typedef struct rb_vm_struct ruby_vm_t;
int ruby_vm_at_exit(void (*)(ruby_vm_t *));
int ruby_native_thread_p(void);
int ruby_thread_has_gvl_p(void);
void rb_ext_ractor_safe(bool);
#define RB_EXT_RACTOR_SAFE(f) rb_ext_ractor_safe(f)
void *rb_ext_resolve_symbol(const char *, const char *);
void ruby_script(const char *);
VALUE rb_get_argv(void);
void rb_set_safe_level(int);
#define rb_safe_level() 0
#define rb_set_safe_level(n) ((void)(n))
#define rb_secure(n) ((void)(n))
#define RUBY_SAFE_LEVEL_MAX 0
#define InitVM(ext) {void InitVM_##ext(void); InitVM_##ext();}
/* Sets of descriptors of any size. */
typedef struct { int maxfd; fd_set *fdset; } rb_fdset_t;
void rb_fd_init(rb_fdset_t *);
void rb_fd_term(rb_fdset_t *);
void rb_fd_zero(rb_fdset_t *);
void rb_fd_set(int, rb_fdset_t *);
void rb_fd_clr(int, rb_fdset_t *);
int rb_fd_isset(int, const rb_fdset_t *);
void rb_fd_copy(rb_fdset_t *, const fd_set *, int);
void rb_fd_dup(rb_fdset_t *, const rb_fdset_t *);
int rb_fd_select(int, rb_fdset_t *, rb_fdset_t *, rb_fdset_t *, struct timeval *);
int rb_thread_fd_select(int, rb_fdset_t *, rb_fdset_t *, rb_fdset_t *, struct timeval *);
static inline fd_set *rb_fd_ptr(const rb_fdset_t *set) { return set->fdset; }
#define rb_fd_ptr rb_fd_ptr
static inline int rb_fd_max(const rb_fdset_t *set) { return set->maxfd; }
#define rb_fd_max rb_fd_max
/* Programs ask with #ifdef for what are macros in CRuby. */
#define RB_IO_WAIT_READABLE RB_IO_WAIT_READABLE
#define RB_IO_WAIT_WRITABLE RB_IO_WAIT_WRITABLE
#define rb_exc_new_cstr rb_exc_new_cstr
RUBY_SYMBOL_EXPORT_END
#endif
