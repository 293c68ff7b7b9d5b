/* Methods, exceptions, blocks, data: what every extension uses. */
#include <ruby.h>
#include <ruby/io.h>
#include <fcntl.h>
#include "extconf.h"
#ifndef RUBY_INTEGER_UNIFICATION
#error "integers have one class"
#endif

static VALUE symbol(const char *name) { return ID2SYM(rb_intern(name)); }

/* ---- methods ---- */

static VALUE one(VALUE self, VALUE a) { return a; }
static VALUE add(VALUE self, VALUE a, VALUE b) { return LONG2NUM(NUM2LONG(a) + NUM2LONG(b)); }
static VALUE is_string(VALUE self, VALUE a) { return rb_obj_is_kind_of(a, rb_cString) ? Qtrue : Qfalse; }

static VALUE list(int argc, VALUE *argv, VALUE self)
{
    VALUE result = rb_ary_new();
    for (int i = 0; i < argc; i++) rb_ary_push(result, argv[i] == Qfalse ? symbol("false") : argv[i]);
    return result;
}

static VALUE array(VALUE self, VALUE args) { return rb_ary_plus(args, args); }

static VALUE scan(int argc, VALUE *argv, VALUE self)
{
    VALUE a, b, rest, options, block;
    rb_scan_args(argc, argv, "11*:&", &a, &b, &rest, &options, &block);
    return rb_ary_new_from_args(5, a, b, rest, options, RTEST(block) ? Qtrue : Qfalse);
}

static VALUE keywords(int argc, VALUE *argv, VALUE self)
{
    ID names[2] = {rb_intern("a"), rb_intern("b")};
    VALUE options, values[2];
    rb_scan_args(argc, argv, ":", &options);
    rb_get_kwargs(options, names, 1, 1, values);
    return rb_ary_new_from_args(2, values[0], values[1] == Qundef ? symbol("undef") : values[1]);
}

static VALUE fifteen(VALUE self, VALUE a, VALUE b, VALUE c, VALUE d, VALUE e, VALUE f, VALUE g, VALUE h, VALUE i, VALUE j, VALUE k,
    VALUE l, VALUE m, VALUE n, VALUE o) { return rb_ary_new_from_args(3, a, h, o); }

static VALUE super_to_s(VALUE self) { return rb_str_plus(rb_call_super(0, 0), rb_str_new_cstr("!")); }

/* ---- exceptions ---- */

static VALUE boom(VALUE self) { rb_raise(rb_eArgError, "boom %d %-3s| %5.2f %" PRIsVALUE " %+" PRIsVALUE, 3, "x", 1.5, self, rb_str_new_cstr("q")); }
static VALUE call_nope(VALUE x) { return rb_funcall(x, rb_intern("nope"), 0); }
static VALUE note(VALUE x) { rb_ary_push(x, symbol("ensured")); return Qnil; }
static VALUE ensured(VALUE self, VALUE x) { return rb_ensure(call_nope, x, note, x); }
static VALUE handle(VALUE x, VALUE e) { return rb_ary_new_from_args(2, x, rb_obj_class(e)); }
static VALUE rescued(VALUE self, VALUE x) { return rb_rescue2(call_nope, x, handle, x, rb_eNoMethodError, (VALUE)0); }

static VALUE protected_call(VALUE self, VALUE x)
{
    int state;
    VALUE error;
    rb_protect(call_nope, x, &state);
    error = rb_errinfo();
    rb_set_errinfo(Qnil);
    return rb_ary_new_from_args(2, state ? Qtrue : Qfalse, error);
}

static VALUE error_now(VALUE self) { return rb_errinfo(); }
static VALUE yield_one(VALUE x) { return rb_yield(x); }
static VALUE yield_to_handler(VALUE x, VALUE e) { return rb_ary_new_from_args(3, rb_errinfo(), rb_yield(e), rb_errinfo()); }
static VALUE rescued_yield(VALUE self) { return rb_rescue2(call_nope, Qnil, yield_to_handler, Qnil, rb_eNoMethodError, (VALUE)0); }
static VALUE yield_ensured(VALUE x) { rb_ary_push(x, rb_errinfo()); return rb_yield(x); }
static VALUE ensured_yield(VALUE self, VALUE x) { return rb_ensure(call_nope, x, yield_ensured, x); }

static VALUE protected_yield(VALUE self, VALUE x, VALUE log)
{
    int state;
    VALUE result = rb_protect(yield_one, x, &state);
    rb_ary_push(log, state ? symbol("left") : symbol("returned"));
    if (state) rb_jump_tag(state);
    return result;
}

static VALUE thrower(RB_BLOCK_CALL_FUNC_ARGLIST(tag, data)) { rb_throw_obj(tag, data); }
static VALUE caught(VALUE self, VALUE value) { return rb_catch_obj(rb_obj_alloc(rb_cObject), thrower, value); }

/* ---- blocks ---- */

static VALUE each_three(VALUE self)
{
    RETURN_ENUMERATOR(self, 0, 0);
    for (int i = 0; i < 3; i++) rb_yield(INT2FIX(i));
    return self;
}

static VALUE collect(RB_BLOCK_CALL_FUNC_ARGLIST(y, data))
{
    rb_ary_push(data, y);
    if (y == INT2FIX(3)) rb_iter_break_value(symbol("broke"));
    return y;
}

static VALUE iterate(VALUE self, VALUE x, VALUE into) { return rb_block_call(x, rb_intern("each"), 0, 0, collect, into); }

/* Keeps what each yield passes, and answers how much that was. */
static VALUE gather_one(RB_BLOCK_CALL_FUNC_ARGLIST(y, data))
{
    rb_ary_push(data, rb_ary_new_from_values(argc, argv));
    rb_ary_push(data, y);
    if (argc > 2) rb_raise(rb_eArgError, "%d are too many", argc);
    return INT2FIX(argc);
}

static VALUE gather(VALUE self, VALUE x, VALUE into) { return rb_block_call(x, rb_intern("each"), 0, 0, gather_one, into); }
static VALUE times_data(RB_BLOCK_CALL_FUNC_ARGLIST(y, data)) { return LONG2NUM(NUM2LONG(y) * NUM2LONG(data)); }
static VALUE multiplier(VALUE self, VALUE by) { return rb_proc_new(times_data, by); }

/* ---- data ---- */

struct point { VALUE value; VALUE other; int number; };
static int freed;

static void mark(void *p) { rb_gc_mark(((struct point *)p)->value); rb_gc_mark(((struct point *)p)->other); }
static void release(void *p) { freed++; xfree(p); }
static size_t size(const void *p) { return sizeof(struct point); }
static const rb_data_type_t point_type = {"point", {mark, release, size}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};
static const rb_data_type_t protected_type = {"protected point", {mark, RUBY_DEFAULT_FREE, size}, &point_type, 0, RUBY_TYPED_WB_PROTECTED};
static const rb_data_type_t other_type = {"other", {0, 0, 0}, 0, 0, 0};

static struct point *get(VALUE self) { struct point *p; TypedData_Get_Struct(self, struct point, &point_type, p); return p; }

static VALUE point_alloc(VALUE class_)
{
    struct point *p;
    return TypedData_Make_Struct(class_, struct point, &point_type, p);
}

static VALUE protected_alloc(VALUE class_)
{
    struct point *p;
    return TypedData_Make_Struct(class_, struct point, &protected_type, p);
}

static VALUE point_set(VALUE self, VALUE v) { get(self)->value = v; return v; }
static VALUE point_write(VALUE self, VALUE v) { RB_OBJ_WRITE(self, &get(self)->value, v); return v; }
static VALUE point_get(VALUE self) { return get(self)->value; }
static VALUE point_wrong(VALUE self) { return (VALUE)rb_check_typeddata(self, &other_type); }
static VALUE point_freed(VALUE self) { return freed > 100 ? Qtrue : INT2NUM(freed); }

/* CRuby 4.1 has no untyped data any more. */
#ifdef Data_Make_Struct
struct old { VALUE value; };
static void old_mark(struct old *p) { rb_gc_mark(p->value); }
static VALUE old_new(VALUE class_, VALUE v)
{
    struct old *p;
    VALUE object = Data_Make_Struct(class_, struct old, old_mark, RUBY_DEFAULT_FREE, p);
    p->value = v;
    return object;
}
static VALUE old_get(VALUE self) { struct old *p; Data_Get_Struct(self, struct old, p); return p->value; }
#endif

static VALUE kept;
static VALUE keep(VALUE self, VALUE v) { kept = v; return Qnil; }
static VALUE get_kept(VALUE self) { return kept; }

/* A `new` of C code that asks for an instance. */
static VALUE own_new(int argc, VALUE *argv, VALUE klass)
{
    VALUE made = rb_class_new_instance_kw(argc, argv, klass, RB_PASS_CALLED_KEYWORDS);
    return rb_ary_new_from_args(2, ID2SYM(rb_intern("made")), made);
}

/* Output and iteration of an object that is no IO. */
static VALUE out_puts(int argc, VALUE *argv, VALUE self) { return rb_io_puts(argc, argv, self); }
static VALUE out_print(int argc, VALUE *argv, VALUE self) { return rb_io_print(argc, argv, self); }
static VALUE out_printf(int argc, VALUE *argv, VALUE self) { return rb_io_printf(argc, argv, self); }
static VALUE out_add(VALUE self, VALUE text) { return rb_io_addstr(self, text); }

static VALUE out_each(int argc, VALUE *argv, VALUE self)
{
    RETURN_ENUMERATOR(self, argc, argv);
    return rb_yield(rb_ary_new_from_args(2, rb_keyword_given_p() ? Qtrue : Qfalse, rb_ary_new_from_values(argc, argv)));
}

static VALUE wide_ascii(VALUE self, VALUE text) { return rb_str_buf_cat_ascii(text, "ab"); }

static VALUE file_mode(VALUE self, VALUE mode) { return INT2NUM(rb_io_modestr_oflags(StringValueCStr(mode)) & (O_ACCMODE | O_EXCL)); }

static VALUE as_data(VALUE self, VALUE object) { return rb_convert_type(object, T_DATA, "Data", "to_data"); }

/* The block's answer, or :again if the same object is visited already. */
static VALUE visit(VALUE object, VALUE argument, int is_visited)
{
    return is_visited ? ID2SYM(rb_intern("again")) : rb_yield(object);
}

static VALUE visited(VALUE self, VALUE object) { return rb_exec_recursive(visit, object, Qnil); }
static VALUE visited_with(VALUE self, VALUE object, VALUE other) { return rb_exec_recursive_paired(visit, object, other, Qnil); }

void Init_basics(void)
{
    VALUE basics = rb_define_module("Basics");
    VALUE point = rb_define_class_under(basics, "Point", rb_cObject);
    VALUE guarded = rb_define_class_under(basics, "Guarded", point);
    VALUE old = rb_define_class_under(basics, "Old", rb_cObject);
    rb_gc_register_address(&kept);
    rb_define_module_function(basics, "one", one, 1);
    rb_define_module_function(basics, "visited", visited, 1);
    rb_define_module_function(basics, "visited_with", visited_with, 2);
    rb_define_module_function(basics, "add", add, 2);
    rb_define_module_function(basics, "string?", is_string, 1);
    rb_define_module_function(basics, "list", list, -1);
    rb_define_module_function(basics, "array", array, -2);
    rb_define_module_function(basics, "scan", scan, -1);
    rb_define_module_function(basics, "keywords", keywords, -1);
    rb_define_module_function(basics, "fifteen", fifteen, 15);
    rb_define_module_function(basics, "boom", boom, 0);
    rb_define_module_function(basics, "ensured", ensured, 1);
    rb_define_module_function(basics, "rescued", rescued, 1);
    rb_define_module_function(basics, "error_now", error_now, 0);
    rb_define_module_function(basics, "rescued_yield", rescued_yield, 0);
    rb_define_module_function(basics, "ensured_yield", ensured_yield, 1);
    rb_define_module_function(basics, "protected_call", protected_call, 1);
    rb_define_module_function(basics, "protected_yield", protected_yield, 2);
    rb_define_module_function(basics, "caught", caught, 1);
    rb_define_module_function(basics, "each_three", each_three, 0);
    rb_define_module_function(basics, "iterate", iterate, 2);
    rb_define_module_function(basics, "gather", gather, 2);
    rb_define_module_function(basics, "multiplier", multiplier, 1);
    rb_define_module_function(basics, "keep", keep, 1);
    rb_define_module_function(basics, "kept", get_kept, 0);
    rb_define_alloc_func(point, point_alloc);
    rb_define_method(point, "value=", point_set, 1);
    rb_define_method(point, "write", point_write, 1);
    VALUE out = rb_define_module_under(basics, "Out");
    rb_define_method(out, "puts", out_puts, -1);
    rb_define_method(out, "print", out_print, -1);
    rb_define_method(out, "printf", out_printf, -1);
    rb_define_method(out, "<<", out_add, 1);
    rb_define_method(out, "each", out_each, -1);
    rb_define_module_function(basics, "wide_ascii", wide_ascii, 1);
    rb_define_module_function(basics, "file_mode", file_mode, 1);
    rb_define_module_function(basics, "as_data", as_data, 1);
    rb_define_singleton_method(rb_define_class_under(basics, "Made", rb_cObject), "new", own_new, -1);
    rb_define_method(point, "value", point_get, 0);
    rb_define_method(point, "wrong", point_wrong, 0);
    rb_define_method(point, "to_s", super_to_s, 0);
    rb_define_singleton_method(point, "freed", point_freed, 0);
    rb_define_alloc_func(guarded, protected_alloc);
    rb_undef_alloc_func(old);
#ifdef Data_Make_Struct
    rb_define_singleton_method(old, "wrap", old_new, 1);
    rb_define_method(old, "value", old_get, 0);
#endif
}
