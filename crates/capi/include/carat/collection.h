/* Arrays, hashes, structs, ranges, sets. */
#ifndef CARAT_COLLECTION_H
#define CARAT_COLLECTION_H 1
RUBY_SYMBOL_EXPORT_BEGIN
static inline long rb_array_len(VALUE v)
{
    switch (CARAT_STORAGE(v)) {
      case 0: return (long)(RBASIC(v)->flags >> 16 & 0x7F);
      case 1: return (long)((const struct carat_view *)v)->length;
      default: return (long)((const struct carat_buffer *)((const struct carat_view *)v)->buffer)->length;
    }
}
static inline const VALUE *carat_elements(VALUE v)
{
    switch (CARAT_STORAGE(v)) {
      case 0: return (const VALUE *)(v + sizeof(struct RBasic));
      case 1: return (const VALUE *)((const struct carat_view *)v)->pointer;
      default: return (const VALUE *)((const struct carat_buffer *)((const struct carat_view *)v)->buffer)->pointer;
    }
}
static inline VALUE RARRAY_AREF(VALUE v, long i) { VALUE e = carat_elements(v)[i]; return e == CARAT_INNER_FALSE ? Qfalse : e; }
/* Elements that C code reads or writes by itself. False is CARAT_INNER_FALSE in them: RTEST knows it, a comparison with Qfalse
   does not. */
VALUE *rb_array_ptr(VALUE);
const VALUE *rb_array_const_ptr(VALUE);
#define RARRAY_LEN rb_array_len
#define RARRAY_LENINT(v) rb_long2int(RARRAY_LEN(v))
#define RARRAY_PTR rb_array_ptr
static inline const VALUE *RARRAY_CONST_PTR(VALUE v)
{
    return RB_FL_TEST_RAW(v, CARAT_EXPOSED) ? carat_elements(v) : rb_array_const_ptr(v);
}
#define RARRAY_CONST_PTR RARRAY_CONST_PTR
#define RARRAY_EMBED_FLAG 0
#define RARRAY_PTR_USE(v, pointer, code) do { VALUE *pointer = rb_array_ptr(v); code; } while (0)
#define RARRAY_PTR_USE_START rb_array_ptr
#define RARRAY_PTR_USE_END(v) ((void)(v))
#define RARRAY(v) ((struct RArray *)(v))
struct RArray { struct RBasic basic; };
VALUE rb_ary_new(void);
VALUE rb_ary_new_capa(long);
VALUE rb_ary_new_from_args(long, ...);
VALUE rb_ary_new_from_values(long, const VALUE *);
VALUE rb_ary_hidden_new(long);
VALUE rb_ary_tmp_new(long);
VALUE rb_assoc_new(VALUE, VALUE);
VALUE rb_check_array_type(VALUE);
VALUE rb_ary_to_ary(VALUE);
VALUE rb_ary_dup(VALUE);
VALUE rb_ary_resurrect(VALUE);
VALUE rb_ary_push(VALUE, VALUE);
VALUE rb_ary_pop(VALUE);
VALUE rb_ary_shift(VALUE);
VALUE rb_ary_unshift(VALUE, VALUE);
VALUE rb_ary_entry(VALUE, long);
void rb_ary_store(VALUE, long, VALUE);
VALUE rb_ary_cat(VALUE, const VALUE *, long);
VALUE rb_ary_concat(VALUE, VALUE);
VALUE rb_ary_plus(VALUE, VALUE);
VALUE rb_ary_replace(VALUE, VALUE);
VALUE rb_ary_subseq(VALUE, long, long);
VALUE rb_ary_aref(int, const VALUE *, VALUE);
VALUE rb_ary_each(VALUE);
VALUE rb_ary_join(VALUE, VALUE);
VALUE rb_ary_reverse(VALUE);
VALUE rb_ary_rotate(VALUE, long);
VALUE rb_ary_sort(VALUE);
VALUE rb_ary_sort_bang(VALUE);
VALUE rb_ary_to_s(VALUE);
VALUE rb_ary_includes(VALUE, VALUE);
VALUE rb_ary_delete(VALUE, VALUE);
VALUE rb_ary_delete_at(VALUE, long);
VALUE rb_ary_clear(VALUE);
VALUE rb_ary_resize(VALUE, long);
VALUE rb_ary_assoc(VALUE, VALUE);
VALUE rb_ary_rassoc(VALUE, VALUE);
VALUE rb_ary_cmp(VALUE, VALUE);
VALUE rb_ary_freeze(VALUE);
VALUE rb_ary_shared_with_p(VALUE, VALUE);
void rb_ary_modify(VALUE);
void rb_ary_free(VALUE);
void rb_ary_detransient(VALUE);
VALUE rb_mem_new(long);
#define rb_ary_new2 rb_ary_new_capa
#define rb_ary_new3 rb_ary_new_from_args
#define rb_ary_new4 rb_ary_new_from_values
static inline void RARRAY_ASET(VALUE v, long i, VALUE e) { rb_ary_store(v, i, e); }
#define RARRAY_ASET RARRAY_ASET

VALUE rb_hash_new(void);
VALUE rb_hash_new_capa(long);
VALUE rb_ident_hash_new(void);
VALUE rb_check_hash_type(VALUE);
VALUE rb_hash_aref(VALUE, VALUE);
VALUE rb_hash_aset(VALUE, VALUE, VALUE);
VALUE rb_hash_lookup(VALUE, VALUE);
VALUE rb_hash_lookup2(VALUE, VALUE, VALUE);
VALUE rb_hash_fetch(VALUE, VALUE);
VALUE rb_hash_delete(VALUE, VALUE);
VALUE rb_hash_delete_if(VALUE);
VALUE rb_hash_clear(VALUE);
VALUE rb_hash_dup(VALUE);
VALUE rb_hash_freeze(VALUE);
VALUE rb_hash_size(VALUE);
size_t rb_hash_size_num(VALUE);
VALUE rb_hash_keys(VALUE);
VALUE rb_hash_values(VALUE);
VALUE rb_hash_has_key(VALUE, VALUE);
VALUE rb_hash_update_by(VALUE, VALUE, VALUE (*)(VALUE, VALUE, VALUE));
VALUE rb_hash_set_ifnone(VALUE, VALUE);
VALUE rb_hash_set_default(VALUE, VALUE);
VALUE rb_hash_set_default_proc(VALUE, VALUE);
void rb_hash_bulk_insert(long, const VALUE *, VALUE);
void rb_hash_foreach(VALUE, int (*)(ANYARGS), VALUE);
struct st_table *rb_hash_tbl(VALUE, const char *, int);
#define rb_hash_foreach(h, f, a) rb_hash_foreach((h), (int (*)(ANYARGS))(f), (VALUE)(a))
#define RHASH_SIZE rb_hash_size_num
#define RHASH_EMPTY_P(h) (RHASH_SIZE(h) == 0)
#define RHASH_TBL(h) rb_hash_tbl((h), __FILE__, __LINE__)
#define RHASH_IFNONE(h) rb_funcall((h), rb_intern("default"), 0)
#define RHASH_SET_IFNONE(h, v) rb_hash_set_ifnone((h), (v))
#define RHASH(v) ((void)(v))
VALUE rb_env_clear(void);

VALUE rb_struct_new(VALUE, ...);
VALUE rb_struct_define(const char *, ...);
VALUE rb_struct_define_under(VALUE, const char *, ...);
VALUE rb_struct_define_without_accessor(const char *, VALUE, rb_alloc_func_t, ...);
VALUE rb_struct_define_without_accessor_under(VALUE, const char *, VALUE, rb_alloc_func_t, ...);
VALUE rb_data_define(VALUE, ...);
VALUE rb_struct_alloc(VALUE, VALUE);
VALUE rb_struct_alloc_noinit(VALUE);
VALUE rb_struct_initialize(VALUE, VALUE);
VALUE rb_struct_aref(VALUE, VALUE);
VALUE rb_struct_aset(VALUE, VALUE, VALUE);
VALUE rb_struct_getmember(VALUE, ID);
VALUE rb_struct_s_members(VALUE);
VALUE rb_struct_members(VALUE);
VALUE rb_struct_size(VALUE);
static inline long RSTRUCT_LEN(VALUE s) { return RB_NUM2LONG(rb_struct_size(s)); }
#define RSTRUCT_LEN RSTRUCT_LEN
static inline VALUE RSTRUCT_GET(VALUE s, int i) { return rb_struct_aref(s, RB_INT2FIX(i)); }
#define RSTRUCT_GET RSTRUCT_GET
static inline VALUE RSTRUCT_SET(VALUE s, int i, VALUE v) { return rb_struct_aset(s, RB_INT2FIX(i), v); }
#define RSTRUCT_SET RSTRUCT_SET

VALUE rb_range_new(VALUE, VALUE, int);
int rb_range_values(VALUE, VALUE *, VALUE *, int *);
VALUE rb_range_beg_len(VALUE, long *, long *, long, int);

VALUE rb_set_new(void);
VALUE rb_set_new_capa(size_t);
bool rb_set_add(VALUE, VALUE);
bool rb_set_delete(VALUE, VALUE);
bool rb_set_lookup(VALUE, VALUE);
VALUE rb_set_clear(VALUE);
size_t rb_set_size(VALUE);
void rb_set_foreach(VALUE, int (*)(VALUE, VALUE), VALUE);
/* Programs ask with #ifdef for what are macros in CRuby. */
#define RARRAY_AREF RARRAY_AREF
#define rb_ary_tmp_new rb_ary_tmp_new
RUBY_SYMBOL_EXPORT_END
#endif
