/* Loops of C code that make objects and never run Ruby: somebody must collect. */
#include <ruby.h>
#include <ruby/encoding.h>

static VALUE text, list, table, object, large, pair;

static VALUE second(RB_BLOCK_CALL_FUNC_ARGLIST(value, data)) { return data; }

static const rb_data_type_t plain_type = {"plain", {0, RUBY_DEFAULT_FREE, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

struct maker {
    const char *name;
    VALUE (*make)(void);
};

#define MAKE(name, body) static VALUE name(void) { return body; }
MAKE(bignum, ULL2NUM(0xF000000000000000ULL))
MAKE(negative, LL2NUM(-0x7000000000000000LL))
MAKE(float_, DBL2NUM(1e300))
MAKE(double_big, rb_dbl2big(1e30))
MAKE(cstr_inum, rb_cstr2inum("123456789012345678901234567890", 10))
MAKE(big_plus, rb_big_plus(large, INT2FIX(1)))
MAKE(big_funcall, rb_funcall(large, '+', 1, INT2FIX(1)))
MAKE(obj_alloc, rb_obj_alloc(rb_cObject))
MAKE(new_instance, rb_class_new_instance(0, 0, rb_cObject))
MAKE(obj_dup, rb_obj_dup(object))
MAKE(obj_clone, rb_obj_clone(object))
MAKE(str_new, rb_str_new("some bytes", 10))
MAKE(str_cstr, rb_str_new_cstr("some bytes"))
MAKE(str_literal, rb_utf8_str_new_lit("some bytes"))
MAKE(str_buf, rb_str_buf_new(40))
MAKE(str_encoded, rb_enc_str_new("some bytes", 10, rb_utf8_encoding()))
MAKE(str_external, rb_external_str_new_cstr("some bytes"))
MAKE(str_dup, rb_str_dup(text))
MAKE(str_substr, rb_str_substr(text, 1, 3))
MAKE(str_subseq, rb_str_subseq(text, 1, 3))
MAKE(str_plus, rb_str_plus(text, text))
MAKE(str_times, rb_str_times(text, INT2FIX(2)))
MAKE(str_inspect, rb_str_inspect(text))
MAKE(str_split, rb_str_split(text, " "))
MAKE(str_replaced, rb_str_replace(rb_str_new(0, 0), text))
MAKE(formatted, rb_sprintf("%d of %" PRIsVALUE, 1, text))
MAKE(as_string, rb_obj_as_string(large))
MAKE(any_to_s, rb_any_to_s(object))
MAKE(inspected, rb_inspect(list))
MAKE(ary_new, rb_ary_new())
MAKE(ary_args, rb_ary_new_from_args(2, Qnil, Qtrue))
MAKE(ary_values, rb_ary_new_from_values(1, &text))
MAKE(ary_assoc, rb_assoc_new(Qnil, Qtrue))
MAKE(ary_dup, rb_ary_dup(list))
MAKE(ary_subseq, rb_ary_subseq(list, 0, 2))
MAKE(ary_plus, rb_ary_plus(list, list))
MAKE(ary_reverse, rb_ary_reverse(rb_ary_dup(list)))
MAKE(ary_join, rb_ary_join(list, text))
MAKE(ary_to_ary, rb_ary_to_ary(text))
MAKE(ary_of, rb_Array(text))
MAKE(hash_new, rb_hash_new())
MAKE(hash_dup, rb_hash_dup(table))
MAKE(range_new, rb_range_new(INT2FIX(1), INT2FIX(2), 0))
MAKE(struct_new, rb_struct_new(pair, Qnil, Qtrue))
MAKE(struct_alloc, rb_struct_alloc_noinit(pair))
MAKE(time_new, rb_time_new(1, 2))
MAKE(time_nano, rb_time_nano_new(1, 2))
MAKE(time_num, rb_time_num_new(INT2FIX(3), Qnil))
MAKE(rational, rb_rational_new(INT2FIX(1), INT2FIX(3)))
MAKE(rational_raw, rb_rational_raw(INT2FIX(1), INT2FIX(3)))
MAKE(complex, rb_complex_new(INT2FIX(1), INT2FIX(3)))
MAKE(proc_new, rb_proc_new(second, Qnil))
MAKE(enumerator, rb_enumeratorize(list, ID2SYM(rb_intern("each")), 0, 0))
MAKE(exception, rb_exc_new_cstr(rb_eRuntimeError, "no"))
MAKE(regexp, rb_reg_new_str(text, 0))
MAKE(data, TypedData_Wrap_Struct(rb_cObject, &plain_type, 0))
MAKE(method, rb_obj_method(object, ID2SYM(rb_intern("to_s"))))
MAKE(mutex, rb_mutex_new())
MAKE(yielded, rb_block_call(list, rb_intern("each_entry"), 0, 0, second, Qnil))

#define ROW(name) {#name, name}
static const struct maker makers[] = {
    ROW(bignum), ROW(negative), ROW(float_), ROW(double_big), ROW(cstr_inum), ROW(big_plus), ROW(big_funcall),
    ROW(obj_alloc), ROW(new_instance), ROW(obj_dup), ROW(obj_clone), ROW(str_new), ROW(str_cstr), ROW(str_literal),
    ROW(str_buf), ROW(str_encoded), ROW(str_external), ROW(str_dup), ROW(str_substr), ROW(str_subseq), ROW(str_plus),
    ROW(str_times), ROW(str_inspect), ROW(str_split), ROW(str_replaced), ROW(formatted), ROW(as_string),
    ROW(any_to_s), ROW(inspected), ROW(ary_new), ROW(ary_args), ROW(ary_values), ROW(ary_assoc), ROW(ary_dup),
    ROW(ary_subseq), ROW(ary_plus), ROW(ary_reverse), ROW(ary_join), ROW(ary_to_ary), ROW(ary_of), ROW(hash_new),
    ROW(hash_dup), ROW(range_new), ROW(struct_new), ROW(struct_alloc), ROW(time_new),
    ROW(time_nano), ROW(time_num), ROW(rational), ROW(rational_raw), ROW(complex), ROW(proc_new), ROW(enumerator),
    ROW(exception), ROW(regexp), ROW(data), ROW(method), ROW(mutex), ROW(yielded),
};

/* Names of those that could be called two million times without a collection. */
static VALUE uncollected(VALUE self)
{
    VALUE names = rb_ary_new();
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        size_t before = rb_gc_count();
        long rounds = 0;
        while (rb_gc_count() == before && rounds < 2000000) {
            volatile VALUE made = makers[i].make();
            (void)made;
            rounds++;
        }
        if (rounds == 2000000) rb_ary_push(names, rb_str_new_cstr(makers[i].name));
    }
    return names;
}

static VALUE keep(VALUE value)
{
    rb_gc_register_mark_object(value);
    return value;
}

void Init_memory(void)
{
    text = keep(rb_utf8_str_new_cstr("a text of some length"));
    list = keep(rb_ary_new_from_args(3, INT2FIX(1), Qnil, Qtrue));
    table = keep(rb_hash_new());
    rb_hash_aset(table, text, list);
    object = keep(rb_obj_alloc(rb_cObject));
    large = keep(rb_cstr2inum("123456789012345678901234567890", 10));
    pair = keep(rb_struct_define(0, "first", "second", NULL));
    rb_define_module_function(rb_define_module("Memory"), "uncollected", uncollected, 0);
}
