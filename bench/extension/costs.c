/* What calls into C and objects of C code cost: see measure.rb. */
#include <ruby.h>

struct point {
    VALUE held;
    long number;
};

static void point_mark(void *data)
{
    rb_gc_mark(((struct point *)data)->held);
}

static size_t point_size(const void *data)
{
    return sizeof(struct point);
}

/* One type collectors look at each time, one whose writes they are told of. */
static const rb_data_type_t point_type = {
    "point", {point_mark, RUBY_DEFAULT_FREE, point_size}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY,
};
static const rb_data_type_t protected_type = {
    "protected point", {point_mark, RUBY_DEFAULT_FREE, point_size}, 0, 0,
    RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

static VALUE point_alloc(VALUE klass)
{
    struct point *point;
    VALUE made = TypedData_Make_Struct(klass, struct point, &point_type, point);
    point->held = Qnil;
    return made;
}

static VALUE protected_alloc(VALUE klass)
{
    struct point *point;
    VALUE made = TypedData_Make_Struct(klass, struct point, &protected_type, point);
    point->held = Qnil;
    return made;
}

static VALUE take_none(VALUE self) { return self; }
static VALUE take_one(VALUE self, VALUE a) { return a; }
static VALUE take_two(VALUE self, VALUE a, VALUE b) { return b; }
static VALUE take_any(int argc, const VALUE *argv, VALUE self) { return argc ? argv[0] : Qnil; }

static VALUE point_number(VALUE self)
{
    struct point *point;
    TypedData_Get_Struct(self, struct point, &point_type, point);
    return LONG2NUM(point->number);
}

static VALUE call_back(VALUE self, VALUE count)
{
    VALUE last = Qnil;
    for (long i = 0, n = NUM2LONG(count); i < n; i++) last = rb_funcall(self, rb_intern("ruby_method"), 1, INT2FIX(i));
    return last;
}

static VALUE yield_back(VALUE self, VALUE count)
{
    VALUE last = Qnil;
    for (long i = 0, n = NUM2LONG(count); i < n; i++) last = rb_yield(INT2FIX(i));
    return last;
}

/* Loops that call one function of the interface, as parsers and serialisers do. */
#define LOOP(name, setup, body, result) \
    static VALUE name(VALUE self, VALUE count) \
    { \
        setup; \
        for (long i = 0, n = NUM2LONG(count); i < n; i++) { body; } \
        return result; \
    }

static VALUE itself(VALUE value) { return value; }
static VALUE second(VALUE value, VALUE error) { return error; }
static VALUE block(RB_BLOCK_CALL_FUNC_ARGLIST(yielded, data)) { return yielded; }

LOOP(call_core, VALUE last = INT2FIX(1), last = rb_funcall(last, rb_intern("hash"), 0), last)
LOOP(call_plus, VALUE last = INT2FIX(0), last = rb_funcall(INT2FIX(i), '+', 1, INT2FIX(1)), last)
LOOP(yield_two, VALUE last = Qnil, last = rb_yield_values(2, INT2FIX(i), INT2FIX(i)), last)
LOOP(push_array, VALUE array = rb_ary_new(), rb_ary_push(array, INT2FIX(i)), array)
LOOP(entry_array, VALUE array = rb_ary_new_from_args(2, INT2FIX(1), Qnil); VALUE last = Qnil, last = rb_ary_entry(array, i & 1), last)
LOOP(store_array, VALUE array = rb_ary_new_capa(16), rb_ary_store(array, i & 15, INT2FIX(i)), array)
LOOP(make_array, VALUE array = Qnil, array = rb_ary_new_from_args(2, INT2FIX(i), Qnil), array)
LOOP(set_hash, VALUE hash = rb_hash_new(), rb_hash_aset(hash, INT2FIX(i & 1023), INT2FIX(i)), hash)
LOOP(grow_hash, VALUE hash = rb_hash_new(), rb_hash_aset(hash, INT2FIX(i), INT2FIX(i)), hash)
LOOP(get_hash, VALUE hash = rb_hash_new(); rb_hash_aset(hash, ID2SYM(rb_intern("a")), Qtrue); VALUE last = Qnil,
     last = rb_hash_aref(hash, ID2SYM(rb_intern("a"))), last)
LOOP(string_hash, VALUE hash = rb_hash_new(); VALUE key = rb_str_new_cstr("a key"), rb_hash_aset(hash, key, INT2FIX(i)), hash)
LOOP(make_string, VALUE string = Qnil, string = rb_str_new("some bytes", 10), string)
LOOP(make_utf8, VALUE string = Qnil, string = rb_utf8_str_new("some bytes", 10), string)
LOOP(cat_string, VALUE string = rb_str_buf_new(16), rb_str_cat(string, "some bytes", 10), string)
LOOP(string_bytes, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += RSTRING_PTR(string)[i & 7] + RSTRING_LEN(string),
     LONG2NUM(sum))
LOOP(get_ivar, rb_iv_set(self, "@kept", Qtrue); VALUE last = Qnil, last = rb_ivar_get(self, rb_intern("@kept")), last)
LOOP(set_ivar, (void)0, rb_ivar_set(self, rb_intern("@kept"), INT2FIX(i)), Qnil)
LOOP(set_ivar_by_name, (void)0, rb_iv_set(self, "@kept", INT2FIX(i)), Qnil)
LOOP(protect, int state, rb_protect(itself, INT2FIX(i), &state), Qnil)
LOOP(ensure, (void)0, rb_ensure(itself, INT2FIX(i), itself, Qnil), Qnil)
LOOP(rescue, (void)0, rb_rescue(itself, INT2FIX(i), second, Qnil), Qnil)
LOOP(block_call, VALUE array = rb_ary_new_from_args(1, Qnil), rb_block_call(array, rb_intern("each"), 0, 0, block, Qnil), array)
LOOP(is_kind, long sum = 0, sum += RTEST(rb_obj_is_kind_of(self, rb_cModule)), LONG2NUM(sum))
LOOP(responds, long sum = 0, sum += rb_respond_to(self, rb_intern("name")), LONG2NUM(sum))
LOOP(make_number, VALUE last = Qnil, last = ULL2NUM(0xF000000000000000ULL + (unsigned long long)i), last)
LOOP(make_float, VALUE last = Qnil, last = DBL2NUM((double)i * 1.5), last)
LOOP(make_object, VALUE last = Qnil, last = rb_obj_alloc(rb_cObject), last)
LOOP(new_instance, VALUE last = Qnil, last = rb_class_new_instance(0, 0, rb_cObject), last)
LOOP(intern, VALUE last = Qnil, last = ID2SYM(rb_intern2("a_name", 6)), last)
LOOP(intern_string, VALUE name = rb_str_new_cstr("a_name"); VALUE last = Qnil, last = rb_str_intern(name), last)

void Init_costs(void)
{
    VALUE costs = rb_define_module("Costs");
    rb_define_module_function(costs, "take_none", take_none, 0);
    rb_define_module_function(costs, "take_one", take_one, 1);
    rb_define_module_function(costs, "take_two", take_two, 2);
    rb_define_module_function(costs, "take_any", take_any, -1);
    rb_define_module_function(costs, "call_back", call_back, 1);
    rb_define_module_function(costs, "yield_back", yield_back, 1);
#define DEFINE(name) rb_define_module_function(costs, #name, name, 1);
    DEFINE(call_core)
    DEFINE(call_plus)
    DEFINE(yield_two)
    DEFINE(push_array)
    DEFINE(entry_array)
    DEFINE(store_array)
    DEFINE(make_array)
    DEFINE(set_hash)
    DEFINE(grow_hash)
    DEFINE(get_hash)
    DEFINE(string_hash)
    DEFINE(make_string)
    DEFINE(make_utf8)
    DEFINE(cat_string)
    DEFINE(string_bytes)
    DEFINE(get_ivar)
    DEFINE(set_ivar)
    DEFINE(set_ivar_by_name)
    DEFINE(protect)
    DEFINE(ensure)
    DEFINE(rescue)
    DEFINE(block_call)
    DEFINE(is_kind)
    DEFINE(responds)
    DEFINE(make_number)
    DEFINE(make_float)
    DEFINE(make_object)
    DEFINE(new_instance)
    DEFINE(intern)
    DEFINE(intern_string)
    VALUE point = rb_define_class_under(costs, "Point", rb_cObject);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "number", point_number, 0);
    rb_define_alloc_func(rb_define_class_under(costs, "ProtectedPoint", rb_cObject), protected_alloc);
}
