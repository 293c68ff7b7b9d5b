/* Views of memory: a class registers functions, and whoever wants to see into its objects finds them here. */
#include "ruby/ruby.h"
#include "ruby/memory_view.h"
#include <ctype.h>
#undef rb_intern

/* Classes that lend memory. They are kept, and never many. */
struct lender {
    VALUE klass;
    const rb_memory_view_entry_t *entry;
    struct lender *next;
};

static struct lender *lenders;
/* Objects that are lent, and how often. */
static VALUE lent = Qfalse;

static const rb_memory_view_entry_t *entry_of(VALUE klass)
{
    for (; RTEST(klass); klass = rb_class_superclass(klass)) {
        for (struct lender *l = lenders; l; l = l->next) if (l->klass == klass) return l->entry;
    }
    return 0;
}

bool rb_memory_view_register(VALUE klass, const rb_memory_view_entry_t *entry)
{
    for (struct lender *l = lenders; l; l = l->next) {
        if (l->klass != klass) continue;
        rb_warning("Duplicated registration of memory view to %" PRIsVALUE, klass);
        return false;
    }
    struct lender *added = ALLOC(struct lender);
    *added = (struct lender){klass, entry, lenders};
    rb_gc_register_mark_object(klass);
    lenders = added;
    return true;
}

bool rb_memory_view_available_p(VALUE object)
{
    const rb_memory_view_entry_t *entry = entry_of(CLASS_OF(object));
    return entry && entry->available_p_func(object);
}

static void count(VALUE object, long by)
{
    if (!RTEST(lent)) {
        lent = rb_funcallv(rb_hash_new(), rb_intern("compare_by_identity"), 0, 0);
        rb_gc_register_address(&lent);
    }
    long number = NUM2LONG(rb_hash_lookup2(lent, object, INT2FIX(0))) + by;
    if (number > 0) rb_hash_aset(lent, object, LONG2NUM(number));
    else rb_hash_delete(lent, object);
}

bool rb_memory_view_get(VALUE object, rb_memory_view_t *view, int flags)
{
    const rb_memory_view_entry_t *entry = entry_of(CLASS_OF(object));
    if (!entry || !entry->available_p_func(object) || !entry->get_func(object, view, flags)) return false;
    view->_memory_view_entry = entry;
    count(view->obj, 1);
    return true;
}

bool rb_memory_view_release(rb_memory_view_t *view)
{
    const rb_memory_view_entry_t *entry = view->_memory_view_entry;
    if (!entry) return false;
    bool is_released = !entry->release_func || entry->release_func(view->obj, view);
    if (!is_released) return false;
    count(view->obj, -1);
    xfree((void *)view->item_desc.components);
    view->item_desc.components = 0;
    return true;
}

bool rb_memory_view_init_as_byte_array(rb_memory_view_t *view, VALUE object, void *data, const ssize_t len, const bool readonly)
{
    *view = (rb_memory_view_t){.obj = object, .data = data, .byte_size = len, .readonly = readonly, .item_size = 1, .ndim = 1};
    return true;
}

void rb_memory_view_fill_contiguous_strides(const ssize_t ndim, const ssize_t item_size, const ssize_t *const shape, const bool is_row_major,
                                            ssize_t *const strides)
{
    ssize_t step = item_size;
    for (ssize_t i = 0; i < ndim; i++) {
        ssize_t dimension = is_row_major ? ndim - 1 - i : i;
        strides[dimension] = step;
        step *= shape[dimension];
    }
}

static bool is_contiguous(const rb_memory_view_t *view, bool is_row_major)
{
    ssize_t step = view->item_size;
    for (ssize_t i = 0; i < view->ndim; i++) {
        ssize_t dimension = is_row_major ? view->ndim - 1 - i : i;
        if (view->strides[dimension] != step) return false;
        step *= view->shape[dimension];
    }
    return true;
}

bool rb_memory_view_is_row_major_contiguous(const rb_memory_view_t *view) { return is_contiguous(view, true); }
bool rb_memory_view_is_column_major_contiguous(const rb_memory_view_t *view) { return is_contiguous(view, false); }

/* ---- formats ---- */

/* Size of an item, 0 if there is no such letter. */
static size_t size_of(char letter, bool is_native)
{
    switch (letter) {
      case 'c': case 'C': case 'x': return 1;
      case 's': case 'S': return is_native ? sizeof(short) : 2;
      case 'i': case 'I': return sizeof(int);
      case 'l': case 'L': return is_native ? sizeof(long) : 4;
      case 'q': case 'Q': return is_native ? sizeof(long long) : 8;
      case 'j': case 'J': return sizeof(intptr_t);
      case 'n': case 'v': return 2;
      case 'N': case 'V': return 4;
      case 'f': case 'F': case 'e': case 'g': return 4;
      case 'd': case 'D': case 'E': case 'G': return 8;
      default: return 0;
    }
}

static bool is_little(char letter, bool is_said_little)
{
    return strchr("nNgG", letter) ? false : strchr("vVeE", letter) ? true : is_said_little;
}

/* Goes over a format; with `members`, writes them. Size of an item, or -1 with `*error` at the place that is wrong. */
static ssize_t parse(const char *format, rb_memory_view_item_component_t *members, size_t *count_of, const char **error)
{
    const union { uint16_t word; char bytes[2]; } order = {1};
    size_t total = 0, number = 0;
    bool is_aligned = *format == '|';
    if (is_aligned) format++;
    while (*format) {
        const char *place = format;
        char letter = *format++;
        if (isspace((unsigned char)letter)) continue;
        bool is_native = false, is_said_little = order.bytes[0];
        for (; *format == '!' || *format == '_'; format++) is_native = true;
        for (; *format == '<' || *format == '>'; format++) is_said_little = *format == '<';
        size_t size = size_of(letter, is_native), repeat = 1;
        if (!size || (is_native && !strchr("sSiIlLqQjJ", letter))) {
            if (error) *error = place;
            return -1;
        }
        if (isdigit((unsigned char)*format)) {
            repeat = 0;
            while (isdigit((unsigned char)*format)) {
                if (repeat > (SIZE_MAX >> 8) / 10) {
                    if (error) *error = place;
                    return -1;
                }
                repeat = repeat * 10 + (size_t)(*format++ - '0');
            }
        }
        if (is_aligned && letter != 'x') total = (total + size - 1) / size * size;
        if (repeat > ((SIZE_MAX >> 2) - total) / size) {
            if (error) *error = place;
            return -1;
        }
        if (letter != 'x') {
            if (members) members[number] = (rb_memory_view_item_component_t){letter, is_native, is_little(letter, is_said_little), total, size, repeat};
            number++;
        }
        total += size * repeat;
    }
    if (count_of) *count_of = number;
    return (ssize_t)total;
}

ssize_t rb_memory_view_item_size_from_format(const char *format, const char **error)
{
    return format ? parse(format, 0, 0, error) : 1;
}

ssize_t rb_memory_view_parse_item_format(const char *format, rb_memory_view_item_component_t **members, size_t *count_of, const char **error)
{
    size_t number = 0;
    ssize_t size = format ? parse(format, 0, &number, error) : 1;
    if (size < 0 || !members || !count_of) return size;
    if (!format) format = "C", number = 1;
    *members = ALLOC_N(rb_memory_view_item_component_t, number ? number : 1);
    *count_of = number;
    return parse(format, *members, 0, error);
}

void rb_memory_view_prepare_item_desc(rb_memory_view_t *view)
{
    if (view->item_desc.components) return;
    const char *error = 0;
    rb_memory_view_item_component_t *members = 0;
    if (rb_memory_view_parse_item_format(view->format, &members, &view->item_desc.length, &error) < 0) {
        rb_raise(rb_eArgError, "Unable to parse item format at %" PRIdSIZE " in %s", (ssize_t)(error - view->format), view->format);
    }
    view->item_desc.components = members;
}

/* ---- items ---- */

static VALUE extract(const uint8_t *at, const rb_memory_view_item_component_t *member)
{
    union { uint8_t bytes[8]; int8_t i8; int16_t i16; int32_t i32; int64_t i64; uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64; float f; double d; } item;
    const union { uint16_t word; char bytes[2]; } order = {1};
    bool is_turned = member->little_endian_p != (bool)order.bytes[0];
    for (size_t i = 0; i < member->size && i < 8; i++) item.bytes[i] = at[is_turned ? member->size - 1 - i : i];
    switch (member->format) {
      case 'f': case 'F': case 'e': case 'g': return rb_float_new(item.f);
      case 'd': case 'D': case 'E': case 'G': return rb_float_new(item.d);
    }
    bool is_signed = strchr("csilqj", member->format) != 0;
    switch (member->size) {
      case 1: return is_signed ? INT2FIX(item.i8) : INT2FIX(item.u8);
      case 2: return is_signed ? INT2FIX(item.i16) : INT2FIX(item.u16);
      case 4: return is_signed ? LONG2NUM(item.i32) : ULONG2NUM(item.u32);
      default: return is_signed ? LL2NUM(item.i64) : ULL2NUM(item.u64);
    }
}

VALUE rb_memory_view_extract_item_members(const void *pointer, const rb_memory_view_item_component_t *members, const size_t count_of)
{
    if (!pointer || !members || !count_of) return Qnil;
    if (count_of == 1 && members->repeat == 1) return extract((const uint8_t *)pointer + members->offset, members);
    VALUE list = rb_ary_new();
    for (size_t i = 0; i < count_of; i++) {
        const uint8_t *at = (const uint8_t *)pointer + members[i].offset;
        for (size_t n = 0; n < members[i].repeat; n++, at += members[i].size) rb_ary_push(list, extract(at, members + i));
    }
    return list;
}

void *rb_memory_view_get_item_pointer(rb_memory_view_t *view, const ssize_t *indices)
{
    uint8_t *at = view->data;
    if (view->ndim == 0) return at;
    if (view->ndim == 1 && !view->strides) return at + indices[0] * view->item_size;
    if (!view->strides) {
        ssize_t index = 0;
        for (ssize_t i = 0; i < view->ndim; i++) index = index * view->shape[i] + indices[i];
        return at + index * view->item_size;
    }
    for (ssize_t i = 0; i < view->ndim; i++) {
        at += indices[i] * view->strides[i];
        if (view->sub_offsets && view->sub_offsets[i] >= 0) at = *(uint8_t **)at + view->sub_offsets[i];
    }
    return at;
}

VALUE rb_memory_view_get_item(rb_memory_view_t *view, const ssize_t *indices)
{
    void *pointer = rb_memory_view_get_item_pointer(view, indices);
    if (!view->format) return INT2FIX(*(uint8_t *)pointer);
    rb_memory_view_prepare_item_desc(view);
    return rb_memory_view_extract_item_members(pointer, view->item_desc.components, view->item_desc.length);
}
