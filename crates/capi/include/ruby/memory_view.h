/* Views of memory: how extensions lend each other arrays of numbers. */
#ifndef RUBY_MEMORY_VIEW_H
#define RUBY_MEMORY_VIEW_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
enum ruby_memory_view_flags {
    RUBY_MEMORY_VIEW_SIMPLE = 0, RUBY_MEMORY_VIEW_WRITABLE = 1, RUBY_MEMORY_VIEW_FORMAT = 2, RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL = 4,
    RUBY_MEMORY_VIEW_STRIDES = 8 | RUBY_MEMORY_VIEW_MULTI_DIMENSIONAL, RUBY_MEMORY_VIEW_ROW_MAJOR = 16 | RUBY_MEMORY_VIEW_STRIDES,
    RUBY_MEMORY_VIEW_COLUMN_MAJOR = 32 | RUBY_MEMORY_VIEW_STRIDES,
    RUBY_MEMORY_VIEW_ANY_CONTIGUOUS = RUBY_MEMORY_VIEW_ROW_MAJOR | RUBY_MEMORY_VIEW_COLUMN_MAJOR,
    RUBY_MEMORY_VIEW_INDIRECT = 64 | RUBY_MEMORY_VIEW_STRIDES
};
typedef struct {
    char format;
    bool native_size_p;
    bool little_endian_p;
    size_t offset;
    size_t size;
    size_t repeat;
} rb_memory_view_item_component_t;
typedef struct rb_memory_view_entry rb_memory_view_entry_t;
typedef struct {
    VALUE obj;
    void *data;
    ssize_t byte_size;
    bool readonly;
    const char *format;
    ssize_t item_size;
    struct {
        const rb_memory_view_item_component_t *components;
        size_t length;
    } item_desc;
    ssize_t ndim;
    const ssize_t *shape;
    const ssize_t *strides;
    const ssize_t *sub_offsets;
    void *private_data;
    const rb_memory_view_entry_t *_memory_view_entry;
} rb_memory_view_t;
typedef bool (*rb_memory_view_get_func_t)(VALUE, rb_memory_view_t *, int);
typedef bool (*rb_memory_view_release_func_t)(VALUE, rb_memory_view_t *);
typedef bool (*rb_memory_view_available_p_func_t)(VALUE);
struct rb_memory_view_entry {
    rb_memory_view_get_func_t get_func;
    rb_memory_view_release_func_t release_func;
    rb_memory_view_available_p_func_t available_p_func;
};
bool rb_memory_view_available_p(VALUE);
bool rb_memory_view_register(VALUE, const rb_memory_view_entry_t *);
bool rb_memory_view_get(VALUE, rb_memory_view_t *, int);
bool rb_memory_view_release(rb_memory_view_t *);
bool rb_memory_view_init_as_byte_array(rb_memory_view_t *, VALUE, void *, const ssize_t, const bool);
void rb_memory_view_fill_contiguous_strides(const ssize_t, const ssize_t, const ssize_t *const, const bool, ssize_t *const);
ssize_t rb_memory_view_parse_item_format(const char *, rb_memory_view_item_component_t **, size_t *, const char **);
ssize_t rb_memory_view_item_size_from_format(const char *, const char **);
void *rb_memory_view_get_item_pointer(rb_memory_view_t *, const ssize_t *);
VALUE rb_memory_view_extract_item_members(const void *, const rb_memory_view_item_component_t *, const size_t);
void rb_memory_view_prepare_item_desc(rb_memory_view_t *);
VALUE rb_memory_view_get_item(rb_memory_view_t *, const ssize_t *);
bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *);
bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *);
RUBY_SYMBOL_EXPORT_END
#endif
