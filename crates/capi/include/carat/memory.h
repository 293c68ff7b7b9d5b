/* Memory: allocation, roots, the collector. */
#ifndef CARAT_MEMORY_H
#define CARAT_MEMORY_H 1
RUBY_SYMBOL_EXPORT_BEGIN
void *ruby_xmalloc(size_t);
void *ruby_xmalloc2(size_t, size_t);
void *ruby_xcalloc(size_t, size_t);
void *ruby_xrealloc(void *, size_t);
void *ruby_xrealloc2(void *, size_t, size_t);
void ruby_xfree(void *);
#define xmalloc ruby_xmalloc
#define xmalloc2 ruby_xmalloc2
#define xcalloc ruby_xcalloc
#define xrealloc ruby_xrealloc
#define xrealloc2 ruby_xrealloc2
#define xfree ruby_xfree
#define ruby_xfree_sized(p, n) ruby_xfree(p)
#define xfree_sized(p, n) ruby_xfree(p)
#define ruby_xrealloc2_sized(p, n, size, old) ruby_xrealloc2(p, n, size)
void ruby_malloc_size_overflow(size_t, size_t);
static inline size_t rb_size_mul_or_raise(size_t a, size_t b, VALUE error)
{
    size_t product;
    (void)error;
    if (__builtin_mul_overflow(a, b, &product)) ruby_malloc_size_overflow(a, b);
    return product;
}
#define RB_ALLOC_N(type, n) ((type *)ruby_xmalloc2((size_t)(n), sizeof(type)))
#define RB_ALLOC(type) ((type *)ruby_xmalloc(sizeof(type)))
#define RB_ZALLOC_N(type, n) ((type *)ruby_xcalloc((size_t)(n), sizeof(type)))
#define RB_ZALLOC(type) RB_ZALLOC_N(type, 1)
#define RB_REALLOC_N(var, type, n) ((var) = (type *)ruby_xrealloc2((void *)(var), (size_t)(n), sizeof(type)))
#define RB_ALLOCA_N(type, n) ((type *)alloca(sizeof(type) * (size_t)(n)))
#define ALLOC_N RB_ALLOC_N
#define ALLOC RB_ALLOC
#define ZALLOC_N RB_ZALLOC_N
#define ZALLOC RB_ZALLOC
#define REALLOC_N RB_REALLOC_N
#define ALLOCA_N RB_ALLOCA_N
void *rb_alloc_tmp_buffer(volatile VALUE *, long);
void *rb_alloc_tmp_buffer_with_count(volatile VALUE *, size_t, size_t);
void rb_free_tmp_buffer(volatile VALUE *);
static inline void *rb_alloc_tmp_buffer2(volatile VALUE *store, long count, size_t size)
{
    return rb_alloc_tmp_buffer_with_count(store, rb_size_mul_or_raise((size_t)count, size, 0), (size_t)count);
}
#define RUBY_ALLOCV_LIMIT 1024
#define RB_ALLOCV(v, n) ((n) < RUBY_ALLOCV_LIMIT ? ((v) = 0, alloca(n)) : rb_alloc_tmp_buffer(&(v), (long)(n)))
#define RB_ALLOCV_N(type, v, n) \
    ((type *)(sizeof(type) * (size_t)(n) < RUBY_ALLOCV_LIMIT \
        ? ((v) = 0, (n) ? alloca(sizeof(type) * (size_t)(n)) : (void *)0) : rb_alloc_tmp_buffer2(&(v), (long)(n), sizeof(type))))
#define RB_ALLOCV_END(v) rb_free_tmp_buffer(&(v))
#define ALLOCV RB_ALLOCV
#define ALLOCV_N RB_ALLOCV_N
#define ALLOCV_END RB_ALLOCV_END
#define MEMZERO(p, type, n) memset((p), 0, sizeof(type) * (size_t)(n))
#define MEMCPY(to, from, type, n) memcpy((to), (from), sizeof(type) * (size_t)(n))
#define MEMMOVE(to, from, type, n) memmove((to), (from), sizeof(type) * (size_t)(n))
#define MEMCMP(a, b, type, n) memcmp((a), (b), sizeof(type) * (size_t)(n))
void rb_mem_clear(VALUE *, long);
void rb_memerror(void) __attribute__((__noreturn__));

/* Keeps the variable, and with it the object, alive up to here. */
#define RB_GC_GUARD(v) (*__extension__ ({ volatile VALUE *guarded = &(v); __asm__ volatile("" : : "m"(guarded)); guarded; }))
typedef int ruby_gc_callback(void *, void *, size_t, void *);
void rb_gc_mark(VALUE);
void rb_gc_mark_maybe(VALUE);
void rb_gc_mark_movable(VALUE);
void rb_gc_mark_locations(const VALUE *, const VALUE *);
VALUE rb_gc_location(VALUE);
void rb_gc_register_address(VALUE *);
void rb_gc_unregister_address(VALUE *);
void rb_global_variable(VALUE *);
void rb_gc_register_mark_object(VALUE);
void rb_gc_writebarrier(VALUE, VALUE);
void rb_gc_writebarrier_unprotect(VALUE);
void rb_gc(void);
VALUE rb_gc_start(void);
VALUE rb_gc_enable(void);
VALUE rb_gc_disable(void);
size_t rb_gc_count(void);
size_t rb_gc_stat(VALUE);
VALUE rb_gc_latest_gc_info(VALUE);
void rb_gc_adjust_memory_usage(ssize_t);
void rb_gc_update_tbl_refs(void *);
int rb_during_gc(void);
VALUE rb_define_finalizer(VALUE, VALUE);
VALUE rb_undefine_finalizer(VALUE);
VALUE rb_obj_hide(VALUE);
VALUE rb_obj_reveal(VALUE, VALUE);
static inline VALUE rb_obj_written(VALUE object, VALUE old, VALUE stored)
{
    (void)old;
    if (!RB_SPECIAL_CONST_P(stored)) rb_gc_writebarrier(object, stored);
    return object;
}
static inline VALUE rb_obj_write(VALUE object, VALUE *slot, VALUE stored)
{
    *slot = stored;
    return rb_obj_written(object, Qundef, stored);
}
#define RB_OBJ_WRITE(object, slot, stored) rb_obj_write((VALUE)(object), (VALUE *)(slot), (VALUE)(stored))
#define RB_OBJ_WRITTEN(object, old, stored) rb_obj_written((VALUE)(object), (VALUE)(old), (VALUE)(stored))
#define OBJ_WRITE RB_OBJ_WRITE
#define OBJ_WRITTEN RB_OBJ_WRITTEN
#define RB_OBJ_WB_UNPROTECT(v) (rb_gc_writebarrier_unprotect(v), (v))
#define OBJ_WB_UNPROTECT RB_OBJ_WB_UNPROTECT
#define RB_OBJ_WB_UNPROTECT_FOR(type, v) RB_OBJ_WB_UNPROTECT(v)
RUBY_SYMBOL_EXPORT_END
#endif
