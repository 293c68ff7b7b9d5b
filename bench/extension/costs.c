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

void Init_costs(void)
{
    VALUE costs = rb_define_module("Costs");
    rb_define_module_function(costs, "take_none", take_none, 0);
    rb_define_module_function(costs, "take_one", take_one, 1);
    rb_define_module_function(costs, "take_two", take_two, 2);
    rb_define_module_function(costs, "take_any", take_any, -1);
    rb_define_module_function(costs, "call_back", call_back, 1);
    rb_define_module_function(costs, "yield_back", yield_back, 1);
    VALUE point = rb_define_class_under(costs, "Point", rb_cObject);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "number", point_number, 0);
    rb_define_alloc_func(rb_define_class_under(costs, "ProtectedPoint", rb_cObject), protected_alloc);
}
