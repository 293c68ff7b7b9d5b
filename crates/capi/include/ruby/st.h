/* Hash tables of C code. */
#ifndef RUBY_ST_H
#define RUBY_ST_H 1
#include "ruby/defines.h"
RUBY_SYMBOL_EXPORT_BEGIN
typedef unsigned long st_data_t;
typedef st_data_t st_index_t;
typedef st_index_t st_hash_t;
#define ST_DATA_COMPATIBLE_P(type) (sizeof(type) == sizeof(st_data_t))
#define SIZEOF_ST_INDEX_T 8
typedef int st_compare_func(st_data_t, st_data_t);
typedef st_index_t st_hash_func(st_data_t);
struct st_hash_type { st_compare_func *compare; st_hash_func *hash; };
typedef struct st_table_entry st_table_entry;
typedef struct st_table {
    const struct st_hash_type *type;
    st_index_t num_entries;
    /* Carat's own: entries in the order in which they came, and where a hash finds its entry. */
    st_index_t used, capacity, rebuilds;
    st_table_entry *entries;
    uint32_t *bins;
} st_table;
enum st_retval { ST_CONTINUE, ST_STOP, ST_DELETE, ST_CHECK, ST_REPLACE };
typedef int st_foreach_callback_func(st_data_t, st_data_t, st_data_t);
typedef int st_foreach_check_callback_func(st_data_t, st_data_t, st_data_t, int);
typedef int st_update_callback_func(st_data_t *, st_data_t *, st_data_t, int);
#define st_init_table rb_st_init_table
#define st_init_table_with_size rb_st_init_table_with_size
#define st_init_existing_table_with_size rb_st_init_existing_table_with_size
#define st_init_numtable rb_st_init_numtable
#define st_init_numtable_with_size rb_st_init_numtable_with_size
#define st_init_strtable rb_st_init_strtable
#define st_init_strtable_with_size rb_st_init_strtable_with_size
#define st_init_strcasetable rb_st_init_strcasetable
#define st_init_strcasetable_with_size rb_st_init_strcasetable_with_size
#define st_delete rb_st_delete
#define st_delete_safe rb_st_delete_safe
#define st_shift rb_st_shift
#define st_insert rb_st_insert
#define st_insert2 rb_st_insert2
#define st_lookup rb_st_lookup
#define st_get_key rb_st_get_key
#define st_update rb_st_update
#define st_foreach_with_replace rb_st_foreach_with_replace
#define st_foreach rb_st_foreach
#define st_foreach_safe rb_st_foreach_safe
#define st_foreach_check rb_st_foreach_check
#define st_keys rb_st_keys
#define st_values rb_st_values
#define st_add_direct rb_st_add_direct
#define st_free_table rb_st_free_table
#define st_cleanup_safe rb_st_cleanup_safe
#define st_clear rb_st_clear
#define st_copy rb_st_copy
#define st_numcmp rb_st_numcmp
#define st_numhash rb_st_numhash
#define st_hash rb_st_hash
#define st_hash_uint32 rb_st_hash_uint32
#define st_hash_uint rb_st_hash_uint
#define st_hash_end rb_st_hash_end
#define st_hash_start rb_st_hash_start
#define st_locale_insensitive_strcasecmp rb_st_locale_insensitive_strcasecmp
#define st_locale_insensitive_strncasecmp rb_st_locale_insensitive_strncasecmp
#define st_strcasecmp rb_st_locale_insensitive_strcasecmp
#define st_strncasecmp rb_st_locale_insensitive_strncasecmp
#define st_memsize rb_st_memsize
#define st_is_member(table, key) st_lookup((table), (key), (st_data_t *)0)
#define st_table_size rb_st_table_size
st_table *st_init_table(const struct st_hash_type *);
st_table *st_init_table_with_size(const struct st_hash_type *, st_index_t);
st_table *st_init_numtable(void);
st_table *st_init_numtable_with_size(st_index_t);
st_table *st_init_strtable(void);
st_table *st_init_strtable_with_size(st_index_t);
st_table *st_init_strcasetable(void);
st_table *st_init_strcasetable_with_size(st_index_t);
int st_delete(st_table *, st_data_t *, st_data_t *);
int st_shift(st_table *, st_data_t *, st_data_t *);
int st_insert(st_table *, st_data_t, st_data_t);
int st_insert2(st_table *, st_data_t, st_data_t, st_data_t (*)(st_data_t));
int st_lookup(st_table *, st_data_t, st_data_t *);
int st_get_key(st_table *, st_data_t, st_data_t *);
int st_update(st_table *, st_data_t, st_update_callback_func *, st_data_t);
int st_foreach_with_replace(st_table *, st_foreach_check_callback_func *, st_update_callback_func *, st_data_t);
int st_foreach(st_table *, st_foreach_callback_func *, st_data_t);
void st_foreach_safe(st_table *, st_foreach_callback_func *, st_data_t);
int st_foreach_check(st_table *, st_foreach_check_callback_func *, st_data_t, st_data_t);
st_index_t st_keys(st_table *, st_data_t *, st_index_t);
st_index_t st_values(st_table *, st_data_t *, st_index_t);
void st_add_direct(st_table *, st_data_t, st_data_t);
void st_free_table(st_table *);
void st_cleanup_safe(st_table *, st_data_t);
void st_clear(st_table *);
st_table *st_copy(st_table *);
int st_numcmp(st_data_t, st_data_t);
st_index_t st_numhash(st_data_t);
st_index_t st_hash(const void *, size_t, st_index_t);
st_index_t st_hash_uint32(st_index_t, uint32_t);
st_index_t st_hash_uint(st_index_t, st_index_t);
st_index_t st_hash_end(st_index_t);
st_index_t st_hash_start(st_index_t);
int st_locale_insensitive_strcasecmp(const char *, const char *);
int st_locale_insensitive_strncasecmp(const char *, const char *, size_t);
size_t st_memsize(const st_table *);
size_t st_table_size(const st_table *);
#ifndef CARAT_SHIM
# define rb_st_foreach(t, f, a) rb_st_foreach((t), (st_foreach_callback_func *)(f), (st_data_t)(a))
# define rb_st_foreach_safe(t, f, a) rb_st_foreach_safe((t), (st_foreach_callback_func *)(f), (st_data_t)(a))
#endif
RUBY_SYMBOL_EXPORT_END
#endif
