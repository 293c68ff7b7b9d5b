/* Strings, arrays, hashes, tables, numbers as C code sees them. */
#include <ruby.h>
#include <ruby/encoding.h>
#include <ruby/st.h>
#include <ruby/thread.h>

/* ---- strings ---- */

static VALUE fill(VALUE self, VALUE count)
{
    long n = NUM2LONG(count);
    VALUE s = rb_str_buf_new(n);
    for (long i = 0; i < n; i++) RSTRING_PTR(s)[i] = (char)('a' + i % 26);
    rb_str_set_len(s, n);
    return s;
}

static VALUE stays(VALUE self, VALUE s)
{
    const char *before = RSTRING_PTR(s);
    VALUE copy = rb_str_dup(s), part = rb_str_substr(s, 1, RSTRING_LEN(s) - 2);
    rb_funcall(copy, rb_intern("upcase!"), 0);
    rb_funcall(part, rb_intern("<<"), 1, rb_str_new_cstr("tail"));
    rb_gc();
    return rb_ary_new_from_args(3, before == RSTRING_PTR(s) ? Qtrue : Qfalse, strlen(before) == (size_t)RSTRING_LEN(s) ? Qtrue : Qfalse,
        rb_str_substr(copy, 0, 3));
}

static VALUE c_length(VALUE self, VALUE s) { return SIZET2NUM(strlen(StringValueCStr(s))); }

static VALUE overwrite(VALUE self, VALUE s)
{
    rb_str_modify(s);
    memset(RSTRING_PTR(s), 'x', (size_t)RSTRING_LEN(s));
    return s;
}

static VALUE grow(VALUE self, VALUE s)
{
    long length = RSTRING_LEN(s);
    rb_str_modify_expand(s, 10);
    memcpy(RSTRING_PTR(s) + length, "0123456789", 10);
    rb_str_set_len(s, length + 10);
    return rb_str_cat(s, "!", 1);
}

static ID range_name(int range)
{
    return rb_intern(range == ENC_CODERANGE_7BIT ? "7bit" : range == ENC_CODERANGE_VALID ? "valid" : "broken");
}

static VALUE encodings(VALUE self, VALUE s)
{
    VALUE utf8 = rb_enc_str_new(RSTRING_PTR(s), RSTRING_LEN(s), rb_utf8_encoding());
    return rb_ary_new_from_args(4, rb_enc_from_encoding(rb_enc_get(s)), rb_enc_from_encoding(rb_enc_get(rb_str_new(0, 0))),
        LONG2NUM(rb_enc_strlen(RSTRING_PTR(utf8), RSTRING_END(utf8), rb_utf8_encoding())), ID2SYM(range_name(rb_enc_str_coderange(utf8))));
}

/* ---- arrays and hashes ---- */

static VALUE doubled(VALUE self, VALUE a)
{
    VALUE *p = RARRAY_PTR(a);
    for (long i = 0; i < RARRAY_LEN(a); i++) if (FIXNUM_P(p[i])) p[i] = LONG2NUM(FIX2LONG(p[i]) * 2);
    return a;
}

static VALUE keep_fresh(VALUE self, VALUE a)
{
    VALUE *p = RARRAY_PTR(a);
    for (long i = 0; i < RARRAY_LEN(a); i++) p[i] = rb_sprintf("fresh %ld", i);
    rb_gc();
    return a;
}

static VALUE is_false(VALUE self, VALUE a) { return rb_ary_entry(a, 0) == Qfalse && RARRAY_AREF(a, 0) == Qfalse ? Qtrue : Qfalse; }

static int count_pair(VALUE key, VALUE value, VALUE data)
{
    rb_ary_push(data, rb_assoc_new(key, value));
    return key == ID2SYM(rb_intern("stop")) ? ST_STOP : key == ID2SYM(rb_intern("drop")) ? ST_DELETE : ST_CONTINUE;
}

static VALUE pairs(VALUE self, VALUE hash)
{
    VALUE list = rb_ary_new();
    rb_hash_foreach(hash, count_pair, list);
    return list;
}

/* ---- tables ---- */

static int sum(st_data_t key, st_data_t value, st_data_t data) { *(long *)data += (long)(key * value); return ST_CONTINUE; }
static int even(st_data_t key, st_data_t value, st_data_t data) { return key % 2 ? ST_CONTINUE : ST_DELETE; }

static VALUE table(VALUE self, VALUE count)
{
    st_table *t = st_init_numtable(), *names = st_init_strtable();
    long n = NUM2LONG(count), total = 0;
    st_data_t found = 0;
    for (long i = 0; i < n; i++) st_insert(t, (st_data_t)i, (st_data_t)2);
    st_foreach(t, even, 0);
    st_foreach(t, sum, (st_data_t)&total);
    st_insert(names, (st_data_t)"one", 1);
    st_lookup(names, (st_data_t)"one", &found);
    VALUE result = rb_ary_new_from_args(4, LONG2NUM((long)t->num_entries), LONG2NUM(total), INT2FIX((int)found),
        st_lookup(names, (st_data_t)"two", 0) ? Qtrue : Qfalse);
    st_free_table(t);
    st_free_table(names);
    return result;
}

/* ---- numbers ---- */

static VALUE pack(VALUE self, VALUE n)
{
    unsigned char bytes[16];
    int sign = rb_integer_pack(n, bytes, 16, 1, 0, INTEGER_PACK_BIG_ENDIAN | INTEGER_PACK_2COMP);
    return rb_ary_new_from_args(3, INT2FIX(sign), rb_str_new((char *)bytes, 16),
        rb_integer_unpack(bytes, 16, 1, 0, INTEGER_PACK_BIG_ENDIAN | INTEGER_PACK_2COMP));
}

static VALUE limits(VALUE self) { return rb_ary_new_from_args(4, LL2NUM(LLONG_MIN), ULL2NUM(ULLONG_MAX), INT2NUM(-1), DBL2NUM(1e300)); }

/* ---- variables, symbols ---- */

static VALUE hidden(VALUE self, VALUE object)
{
    rb_iv_set(object, "hidden", rb_str_new_cstr("seen by C"));
    rb_iv_set(object, "@shown", INT2FIX(1));
    return rb_ary_new_from_args(2, rb_iv_get(object, "hidden"), rb_obj_instance_variables(object));
}

static VALUE operators(VALUE self) { return rb_funcall(INT2FIX(3), '+', 1, rb_funcall(INT2FIX(2), rb_intern("*"), 1, INT2FIX(5))); }

static void *sleep_a_little(void *data) { usleep(20000); return data; }
static VALUE beside(VALUE self) { return (VALUE)rb_thread_call_without_gvl(sleep_a_little, (void *)INT2FIX(7), RUBY_UBF_IO, 0); }

/* More values than a call usually has. */
static VALUE many(VALUE self, VALUE receiver)
{
    VALUE list[40];
    for (int i = 0; i < 40; i++) list[i] = INT2FIX(i);
    return rb_assoc_new(rb_funcallv(receiver, rb_intern("push"), 40, list), rb_ary_new_from_values(17, list));
}

/* Freezing calls no method. */
static VALUE freeze_itself(VALUE self, VALUE object) { return rb_obj_freeze(object); }

void Init_values(void)
{
    VALUE values = rb_define_module("Values");
    rb_define_module_function(values, "fill", fill, 1);
    rb_define_module_function(values, "stays", stays, 1);
    rb_define_module_function(values, "c_length", c_length, 1);
    rb_define_module_function(values, "overwrite", overwrite, 1);
    rb_define_module_function(values, "grow", grow, 1);
    rb_define_module_function(values, "encodings", encodings, 1);
    rb_define_module_function(values, "doubled", doubled, 1);
    rb_define_module_function(values, "keep_fresh", keep_fresh, 1);
    rb_define_module_function(values, "false?", is_false, 1);
    rb_define_module_function(values, "pairs", pairs, 1);
    rb_define_module_function(values, "table", table, 1);
    rb_define_module_function(values, "pack", pack, 1);
    rb_define_module_function(values, "limits", limits, 0);
    rb_define_module_function(values, "hidden", hidden, 1);
    rb_define_module_function(values, "operators", operators, 0);
    rb_define_module_function(values, "beside", beside, 0);
    rb_define_module_function(values, "many", many, 1);
    rb_define_module_function(values, "freeze_itself", freeze_itself, 1);
}
