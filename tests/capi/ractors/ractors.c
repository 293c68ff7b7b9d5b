/* Addresses of strings that several Ractors read, and what each Ractor keeps. */
#include <ruby.h>
#include <ruby/ractor.h>

static rb_ractor_local_key_t value_key, pointer_key;
static rb_ractor_local_key_t counter_key;

static void mark_pair(void *memory) { rb_gc_mark(((VALUE *)memory)[0]); }

static const struct rb_ractor_local_storage_type pair_type = {mark_pair, ruby_xfree};

/* Whether the bytes are followed by a NUL, and the address is the same each time. */
static VALUE ends_with_nul(VALUE self, VALUE string)
{
    const char *first = StringValueCStr(string);
    return first[RSTRING_LEN(string)] == 0 && first == RSTRING_PTR(string) && first == RSTRING_END(string) - RSTRING_LEN(string) ? Qtrue : Qfalse;
}

static VALUE bytes_in_c(VALUE self, VALUE string)
{
    return rb_str_new_cstr(StringValueCStr(string));
}

static VALUE sum_of_elements(VALUE self, VALUE array)
{
    const VALUE *elements = RARRAY_PTR(array);
    long i, sum = 0;
    for (i = 0; i < RARRAY_LEN(array); i++) sum += FIX2LONG(elements[i]);
    return LONG2NUM(sum);
}

static VALUE keep(VALUE self, VALUE value)
{
    VALUE before = Qfalse, *pair = rb_ractor_local_storage_ptr(pointer_key);
    if (!rb_ractor_local_storage_value_lookup(value_key, &before)) before = ID2SYM(rb_intern("none"));
    rb_ractor_local_storage_value_set(value_key, value);
    if (!pair) {
        pair = ALLOC_N(VALUE, 1);
        pair[0] = Qnil;
        rb_ractor_local_storage_ptr_set(pointer_key, pair);
    }
    pair[0] = rb_str_dup(rb_inspect(value));
    return before;
}

static VALUE kept(VALUE self)
{
    VALUE *pair = rb_ractor_local_storage_ptr(pointer_key);
    return rb_assoc_new(rb_ractor_local_storage_value(value_key), pair ? pair[0] : Qnil);
}

static VALUE count(VALUE self)
{
    long *counter = rb_ractor_local_storage_ptr(counter_key);
    if (!counter) {
        counter = ALLOC(long);
        *counter = 0;
        rb_ractor_local_storage_ptr_set(counter_key, counter);
    }
    return LONG2NUM(++*counter);
}

void Init_ractors(void)
{
    VALUE module;
    rb_ext_ractor_safe(true);
    module = rb_define_module("Ractors");
    value_key = rb_ractor_local_storage_value_newkey();
    pointer_key = rb_ractor_local_storage_ptr_newkey(&pair_type);
    counter_key = rb_ractor_local_storage_ptr_newkey(RB_RACTOR_LOCAL_STORAGE_TYPE_FREE);
    rb_define_module_function(module, "ends_with_nul?", ends_with_nul, 1);
    rb_define_module_function(module, "bytes_in_c", bytes_in_c, 1);
    rb_define_module_function(module, "sum_of_elements", sum_of_elements, 1);
    rb_define_module_function(module, "keep", keep, 1);
    rb_define_module_function(module, "kept", kept, 0);
    rb_define_module_function(module, "count", count, 0);
}
