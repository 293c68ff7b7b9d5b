/* What gems do out of habit: flags of objects that are not theirs, a symbol in an ID's place, names that are macros in CRuby. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/debug.h>

#ifndef RARRAY_AREF
# define RARRAY_AREF(a, i) RARRAY_PTR(a)[i]
#endif

/* False is found whichever way the header spells the element. */
static VALUE first_is_false(VALUE self, VALUE array) { return RARRAY_AREF(array, 0) == Qfalse ? Qtrue : Qfalse; }

static VALUE set_by_symbol(VALUE self, VALUE object, VALUE name, VALUE value) { return rb_ivar_set(object, (ID)name, value); }

/* What rbtree does to give a hash a default that is called. */
static VALUE set_default(VALUE self, VALUE hash, VALUE block)
{
    rb_hash_set_ifnone(hash, block);
    FL_SET(hash, FL_USER2);
    return hash;
}

struct holder { VALUE held; };
static void holder_mark(void *data) { rb_gc_mark(((struct holder *)data)->held); }
static const rb_data_type_t holder_type = {"holder", {holder_mark, RUBY_DEFAULT_FREE}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE holder_new(VALUE class_, VALUE held)
{
    struct holder *holder;
    VALUE made = TypedData_Make_Struct(class_, struct holder, &holder_type, holder);
    holder->held = held;
    return made;
}

static VALUE own_flags(VALUE self)
{
    VALUE object = holder_new(rb_cObject, Qnil);
    FL_SET(object, FL_USER0 | FL_USER3);
    FL_UNSET(object, FL_USER3);
    return rb_ary_new_from_args(2, FL_TEST(object, FL_USER0) ? Qtrue : Qfalse, FL_TEST(object, FL_USER3) ? Qtrue : Qfalse);
}

/* While the block runs there is one more object, which nobody comes across. */
static VALUE with_hidden(VALUE self, VALUE class_)
{
    VALUE hidden = rb_obj_hide(holder_new(class_, rb_str_new_cstr("hidden")));
    VALUE result = rb_yield(Qnil);
    rb_obj_reveal(hidden, class_);
    return rb_ary_new_from_args(3, result, rb_obj_class(hidden), rb_yield(Qnil));
}

static VALUE get_attribute(VALUE self, VALUE exception, VALUE name) { return rb_attr_get(exception, rb_sym2id(name)); }
static VALUE set_attribute(VALUE self, VALUE exception, VALUE name, VALUE value) { return rb_ivar_set(exception, rb_sym2id(name), value); }

static int add_name(ID name, VALUE value, st_data_t names) { rb_ary_push((VALUE)names, rb_id2sym(name)); return ST_CONTINUE; }
static VALUE attributes(VALUE self, VALUE object)
{
    VALUE names = rb_ary_new();
    rb_ivar_foreach(object, add_name, (st_data_t)names);
    return names;
}

static VALUE is_data(VALUE self, VALUE object) { return RB_TYPE_P(object, T_DATA) ? Qtrue : Qfalse; }
static VALUE looked_at(VALUE self, VALUE object) { return rb_check_typeddata(object, &holder_type) ? Qtrue : Qfalse; }

static VALUE to_utf16(VALUE self, VALUE string)
{
    rb_encoding *wide = rb_enc_find("UTF-16LE");
    VALUE result = rb_str_conv_enc(string, rb_enc_get(string), wide);
    return rb_ary_new_from_args(2, rb_str_encode(result, rb_enc_from_encoding(rb_utf8_encoding()), 0, Qnil),
        rb_enc_get(result) == wide ? Qtrue : Qfalse);
}

/* Objects are told of before they have anything: threads, bindings, classes among them. */
static long made;
static void count(VALUE point, void *data) { made += rb_tracearg_object(rb_tracearg_from_tracepoint(point)) != Qnil; }
static VALUE count_made(VALUE self)
{
    VALUE point = rb_tracepoint_new(Qnil, RUBY_INTERNAL_EVENT_NEWOBJ, count, 0);
    made = 0;
    rb_tracepoint_enable(point);
    VALUE result = rb_protect(rb_yield, Qnil, 0);
    rb_tracepoint_disable(point);
    return rb_ary_new_from_args(2, result, made > 0 ? Qtrue : Qfalse);
}

static VALUE call_plainly(int argc, VALUE *argv, VALUE self)
{
    return rb_funcallv(argv[0], rb_sym2id(argv[1]), argc - 2, argv + 2);
}

static VALUE call_publicly(int argc, VALUE *argv, VALUE self)
{
    return rb_funcallv_public(argv[0], rb_sym2id(argv[1]), argc - 2, argv + 2);
}

/* How stringio finds out whether it may write to a literal. */
static VALUE warns_when_written_to(VALUE self, VALUE string) { return FL_TEST_RAW(string, FL_USER2 | FL_USER3) ? Qtrue : Qfalse; }

void Init_habits(void)
{
    VALUE habits = rb_define_module("Habits");
#define DEFINE(name, count) rb_define_module_function(habits, #name, name, count)
    DEFINE(first_is_false, 1);
    DEFINE(set_by_symbol, 3);
    DEFINE(set_default, 2);
    DEFINE(own_flags, 0);
    DEFINE(with_hidden, 1);
    DEFINE(get_attribute, 2);
    DEFINE(set_attribute, 3);
    DEFINE(attributes, 1);
    DEFINE(is_data, 1);
    DEFINE(looked_at, 1);
    DEFINE(to_utf16, 1);
    DEFINE(count_made, 0);
    DEFINE(call_plainly, -1);
    DEFINE(call_publicly, -1);
    DEFINE(warns_when_written_to, 1);
    VALUE holder = rb_define_class_under(habits, "Holder", rb_cObject);
    rb_undef_alloc_func(holder);
    rb_define_singleton_method(holder, "make", holder_new, 1);
}
