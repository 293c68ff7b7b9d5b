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

/* Objects that Ractors may share once they are frozen, and ones that they may not. */
static const rb_data_type_t shared_type = {"shared", {mark_pair, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_FROZEN_SHAREABLE};
static const rb_data_type_t private_type = {"private", {mark_pair, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE box_of(VALUE klass, VALUE value, const rb_data_type_t *type)
{
    VALUE *pair, self = TypedData_Make_Struct(klass, VALUE, type, pair);
    *pair = value;
    return self;
}

static VALUE shared_box(VALUE klass, VALUE value) { return box_of(klass, value, &shared_type); }
static VALUE private_box(VALUE klass, VALUE value) { return box_of(klass, value, &private_type); }

static VALUE box_value(VALUE self)
{
    return *(VALUE *)RTYPEDDATA_DATA(self);
}

/* Without a barrier: the type does not say that there are any. */
static VALUE box_set_value(VALUE self, VALUE value)
{
    return *(VALUE *)RTYPEDDATA_DATA(self) = value;
}

/* Nor is there one here: whoever has asked for an array's address may write there. */
static VALUE put_first(VALUE self, VALUE array, VALUE value)
{
    return RARRAY_PTR(array)[0] = value;
}

void Init_ractors(void)
{
    VALUE module, box;
    rb_ext_ractor_safe(true);
    module = rb_define_module("Ractors");
    box = rb_define_class_under(module, "Box", rb_cObject);
    rb_undef_alloc_func(box);
    rb_define_singleton_method(box, "shared", shared_box, 1);
    rb_define_singleton_method(box, "private", private_box, 1);
    rb_define_method(box, "value", box_value, 0);
    rb_define_method(box, "value=", box_set_value, 1);
    value_key = rb_ractor_local_storage_value_newkey();
    pointer_key = rb_ractor_local_storage_ptr_newkey(&pair_type);
    counter_key = rb_ractor_local_storage_ptr_newkey(RB_RACTOR_LOCAL_STORAGE_TYPE_FREE);
    rb_define_module_function(module, "ends_with_nul?", ends_with_nul, 1);
    rb_define_module_function(module, "bytes_in_c", bytes_in_c, 1);
    rb_define_module_function(module, "sum_of_elements", sum_of_elements, 1);
    rb_define_module_function(module, "put_first", put_first, 2);
    rb_define_module_function(module, "keep", keep, 1);
    rb_define_module_function(module, "kept", kept, 0);
    rb_define_module_function(module, "count", count, 0);
}
