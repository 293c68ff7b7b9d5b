/* What calls into C and objects of C code cost: see measure.rb. */
#include <ruby.h>
#include <ruby/encoding.h>

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

#define COMMA ,
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
LOOP(entry_array, VALUE array = rb_ary_new_from_args(2, INT2FIX(1), Qnil); long sum = 0, sum += (long)rb_ary_entry(array, i & 1), LONG2NUM(sum))
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
LOOP(string_pointer, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += RSTRING_PTR(string)[i & 7], LONG2NUM(sum))
LOOP(long_pointer, VALUE string = rb_str_resize(rb_str_new(0, 0), 1000); long sum = 0; memset(RSTRING_PTR(string), 1, 1000),
     sum += RSTRING_PTR(string)[i & 511], LONG2NUM(sum))
LOOP(string_value, VALUE string = rb_str_new_cstr("some bytes"), StringValue(string), string)
LOOP(string_value_cstr, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += StringValueCStr(string)[0], LONG2NUM(sum))
LOOP(string_append, VALUE string = rb_str_buf_new(16); VALUE piece = rb_str_new_cstr("some bytes"), rb_str_append(string, piece), string)
LOOP(string_equal, VALUE a = rb_str_new_cstr("some bytes"); VALUE b = rb_str_new_cstr("some bytes"); long sum = 0,
     sum += RTEST(rb_str_equal(a, b)), LONG2NUM(sum))
LOOP(string_dup, VALUE string = rb_str_new_cstr("some bytes"); VALUE last = Qnil, last = rb_str_dup(string), last)
LOOP(string_set_len, VALUE string = rb_str_buf_new(64), rb_str_set_len(string, i & 31), string)
LOOP(enc_get_index, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += rb_enc_get_index(string), LONG2NUM(sum))
LOOP(enc_get, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += rb_enc_get(string) == rb_utf8_encoding(), LONG2NUM(sum))
LOOP(enc_associate, VALUE string = rb_str_new_cstr("some bytes"); rb_encoding *utf8 = rb_utf8_encoding(), rb_enc_associate(string, utf8), string)
LOOP(coderange, VALUE string = rb_str_new_cstr("some bytes"); long sum = 0, sum += rb_enc_str_coderange(string), LONG2NUM(sum))
LOOP(sym_to_id, VALUE symbol = ID2SYM(rb_intern("a_name")); long sum = 0, sum += (long)rb_sym2id(symbol), LONG2NUM(sum))
LOOP(sym_to_str, VALUE symbol = ID2SYM(rb_intern("a_name")); VALUE last = Qnil, last = rb_sym2str(symbol), last)
LOOP(id_name, ID id = rb_intern("a_name"); long sum = 0, sum += rb_id2name(id)[0], LONG2NUM(sum))
LOOP(intern_text, const char *volatile name = "a_name"; long sum = 0, sum += (long)rb_intern(name), LONG2NUM(sum))
LOOP(long_of, long sum = 0; VALUE number = INT2FIX(7), sum += NUM2LONG(number), LONG2NUM(sum))
LOOP(double_of, double sum = 0; VALUE number = DBL2NUM(1.5), sum += NUM2DBL(number), DBL2NUM(sum))
LOOP(int_of_large, unsigned long long sum = 0; VALUE number = ULL2NUM(0xF000000000000000ULL), sum += NUM2ULL(number), ULL2NUM(sum))
LOOP(array_len, VALUE array = rb_ary_new_from_args(2, INT2FIX(1), Qnil); long sum = 0, sum += RARRAY_LEN(array), LONG2NUM(sum))
LOOP(array_aref, VALUE array = rb_ary_new_from_args(2, INT2FIX(1), Qnil); VALUE last = Qnil, last = RARRAY_AREF(array, i & 1), last)
LOOP(array_pointer, VALUE array = rb_ary_new_from_args(2, INT2FIX(1), Qnil); VALUE last = Qnil, last = RARRAY_CONST_PTR(array)[i & 1], last)
LOOP(array_pop, VALUE array = rb_ary_new(), (rb_ary_push(array, Qnil), rb_ary_pop(array)), array)
LOOP(array_shift, VALUE array = rb_ary_new(), (rb_ary_push(array, Qnil), rb_ary_shift(array)), array)
LOOP(make_hash, VALUE hash = Qnil, hash = rb_hash_new(), hash)
LOOP(lookup_hash, VALUE hash = rb_hash_new(); VALUE key = rb_str_new_cstr("a key"); rb_hash_aset(hash, key, Qtrue); VALUE last = Qnil,
     last = rb_hash_lookup(hash, key), last)
LOOP(fetch_hash, VALUE hash = rb_hash_new(); rb_hash_aset(hash, INT2FIX(1), Qtrue); VALUE last = Qnil,
     last = rb_hash_lookup2(hash, INT2FIX(1), Qnil), last)
LOOP(size_hash, VALUE hash = rb_hash_new(); rb_hash_aset(hash, INT2FIX(1), Qtrue); long sum = 0, sum += RHASH_SIZE(hash), LONG2NUM(sum))
static int each_pair(VALUE key, VALUE value, VALUE data) { return ST_CONTINUE; }
LOOP(each_hash, VALUE hash = rb_hash_new(); rb_hash_aset(hash, INT2FIX(1), Qtrue), rb_hash_foreach(hash, each_pair, Qnil), hash)
LOOP(rescue2, (void)0, rb_rescue2(itself, INT2FIX(i), second, Qnil, rb_eStandardError, (VALUE)0), Qnil)
static VALUE raises(VALUE data) { rb_raise(rb_eRuntimeError, "no"); return Qnil; }
LOOP(raise, (void)0, rb_rescue(raises, Qnil, second, Qnil), Qnil)
LOOP(struct_aref, VALUE pair = rb_struct_new(rb_const_get(self, rb_intern("Pair")), INT2FIX(1), INT2FIX(2)); VALUE last = Qnil,
     last = rb_struct_aref(pair, INT2FIX(1)), last)
LOOP(struct_getmember, VALUE pair = rb_struct_new(rb_const_get(self, rb_intern("Pair")), INT2FIX(1), INT2FIX(2)); VALUE last = Qnil,
     last = rb_struct_getmember(pair, rb_intern("right")), last)
LOOP(struct_get, VALUE pair = rb_struct_new(rb_const_get(self, rb_intern("Pair")), INT2FIX(1), INT2FIX(2)); VALUE last = Qnil,
     last = RSTRUCT_GET(pair, 1), last)
LOOP(struct_new, VALUE pair = rb_const_get(self, rb_intern("Pair")); VALUE last = Qnil, last = rb_struct_new(pair, INT2FIX(1), INT2FIX(2)), last)
LOOP(const_get, VALUE last = Qnil, last = rb_const_get(self, rb_intern("Pair")), last)
LOOP(class_of, VALUE last = Qnil; VALUE point = rb_obj_alloc(rb_const_get(self, rb_intern("Point"))), last = rb_obj_class(point), last)
LOOP(class_name, long sum = 0, sum += rb_class2name(rb_cObject)[0], LONG2NUM(sum))
LOOP(defined_ivar, rb_iv_set(self, "@kept", Qtrue); long sum = 0, sum += RTEST(rb_ivar_defined(self, rb_intern("@kept"))), LONG2NUM(sum))
LOOP(object_ivar, VALUE object = rb_obj_alloc(rb_cObject); rb_ivar_set(object, rb_intern("@kept"), Qtrue); VALUE last = Qnil,
     last = rb_ivar_get(object, rb_intern("@kept")), last)
LOOP(object_ivar_set, VALUE object = rb_obj_alloc(rb_cObject), rb_ivar_set(object, rb_intern("@kept"), INT2FIX(i)), object)
LOOP(equal, VALUE a = rb_str_new_cstr("some bytes"); VALUE b = rb_str_new_cstr("some bytes"); long sum = 0, sum += RTEST(rb_equal(a, b)), LONG2NUM(sum))
LOOP(to_string, VALUE last = Qnil, last = rb_obj_as_string(INT2FIX(i & 63)), last)
LOOP(frozen, VALUE string = rb_str_new_cstr("some bytes"), rb_check_frozen(string), string)
LOOP(freeze, VALUE string = rb_str_new_cstr("some bytes"), rb_obj_freeze(string), string)
LOOP(check_array, VALUE array = rb_ary_new(); VALUE last = Qnil, last = rb_check_array_type(array), last)
LOOP(type_of, VALUE array = rb_ary_new(); long sum = 0, sum += TYPE(array) + TYPE(INT2FIX(i)), LONG2NUM(sum))
LOOP(sprintf_two, VALUE last = Qnil, last = rb_sprintf("%s: %d", "a name", (int)i), last)
LOOP(call_if, VALUE last = Qnil, last = rb_check_funcall(INT2FIX(i), rb_intern("succ"), 0, 0), last)
LOOP(call_v, VALUE last = Qnil; VALUE one = INT2FIX(1), last = rb_funcallv(INT2FIX(i), '+', 1, &one), last)
LOOP(call_public, VALUE last = Qnil; VALUE one = INT2FIX(1), last = rb_funcallv_public(INT2FIX(i), '+', 1, &one), last)
LOOP(call_ruby_object, VALUE last = Qnil; VALUE ary = rb_ary_new_from_args(1, Qtrue), last = rb_funcall(ary, rb_intern("first"), 0), last)
LOOP(call_array_index, VALUE last = Qnil; VALUE ary = rb_ary_new_from_args(1, Qtrue), last = rb_funcall(ary, rb_intern("[]"), 1, INT2FIX(0)), last)
LOOP(proc_call, VALUE last = Qnil; VALUE block = rb_block_proc(); VALUE one = INT2FIX(1), last = rb_proc_call_with_block(block, 1, &one, Qnil), last)
LOOP(given, long sum = 0, sum += rb_block_given_p(), LONG2NUM(sum))
LOOP(range_values, VALUE range = rb_range_new(INT2FIX(1), INT2FIX(2), 0); VALUE from; VALUE to; int excluded; long sum = 0,
     sum += RTEST(rb_range_values(range, &from, &to, &excluded)), LONG2NUM(sum))
LOOP(global_get, VALUE last = Qnil, last = rb_gv_get("$stdout"), last)
LOOP(gc_register, VALUE held = Qnil, (rb_gc_register_address(&held), rb_gc_unregister_address(&held)), held)
LOOP(allocate, (void)0, xfree(xmalloc(32)), Qnil)
LOOP(scan, VALUE last = Qnil; VALUE pair[2] = {INT2FIX(1) COMMA INT2FIX(2)}; VALUE a; VALUE b; VALUE rest,
     last = (rb_scan_args(2, pair, "11*", &a, &b, &rest), b), last)
LOOP(scan_two, VALUE pair[2] = {INT2FIX(1) COMMA INT2FIX(2)}; VALUE a = Qnil; VALUE b, rb_scan_args(2, pair, "11", &a, &b), a)
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
    DEFINE(string_pointer)
    DEFINE(long_pointer)
    DEFINE(string_value)
    DEFINE(string_value_cstr)
    DEFINE(string_append)
    DEFINE(string_equal)
    DEFINE(string_dup)
    DEFINE(string_set_len)
    DEFINE(enc_get_index)
    DEFINE(enc_get)
    DEFINE(enc_associate)
    DEFINE(coderange)
    DEFINE(sym_to_id)
    DEFINE(sym_to_str)
    DEFINE(id_name)
    DEFINE(intern_text)
    DEFINE(long_of)
    DEFINE(double_of)
    DEFINE(int_of_large)
    DEFINE(array_len)
    DEFINE(array_aref)
    DEFINE(array_pointer)
    DEFINE(array_pop)
    DEFINE(array_shift)
    DEFINE(make_hash)
    DEFINE(lookup_hash)
    DEFINE(fetch_hash)
    DEFINE(size_hash)
    DEFINE(each_hash)
    DEFINE(rescue2)
    DEFINE(raise)
    DEFINE(struct_aref)
    DEFINE(struct_getmember)
    DEFINE(struct_get)
    DEFINE(struct_new)
    DEFINE(const_get)
    DEFINE(class_of)
    DEFINE(class_name)
    DEFINE(defined_ivar)
    DEFINE(object_ivar)
    DEFINE(object_ivar_set)
    DEFINE(equal)
    DEFINE(to_string)
    DEFINE(frozen)
    DEFINE(freeze)
    DEFINE(check_array)
    DEFINE(type_of)
    DEFINE(sprintf_two)
    DEFINE(call_if)
    DEFINE(call_v)
    DEFINE(call_public)
    DEFINE(call_ruby_object)
    DEFINE(call_array_index)
    DEFINE(proc_call)
    DEFINE(given)
    DEFINE(range_values)
    DEFINE(global_get)
    DEFINE(gc_register)
    DEFINE(allocate)
    DEFINE(scan)
    DEFINE(scan_two)
    DEFINE(intern)
    DEFINE(intern_string)
    rb_const_set(costs, rb_intern("Pair"), rb_struct_define(NULL, "left", "right", NULL));
    VALUE point = rb_define_class_under(costs, "Point", rb_cObject);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "number", point_number, 0);
    rb_define_alloc_func(rb_define_class_under(costs, "ProtectedPoint", rb_cObject), protected_alloc);
}
