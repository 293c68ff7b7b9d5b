/* C code that the VM calls by itself: marking, freeing, trace points. */
#include <ruby.h>
#include <ruby/st.h>
#include <ruby/debug.h>

/* ---- a struct whose mark function looks at objects ---- */

struct holder {
    VALUE hash, array, string;
    st_table *table;
};

static long freed;

static int mark_pair(VALUE key, VALUE value, VALUE data)
{
    rb_gc_mark(key);
    rb_gc_mark(value);
    return ST_CONTINUE;
}

static int mark_entry(st_data_t key, st_data_t value, st_data_t data)
{
    rb_gc_mark((VALUE)value);
    return ST_CONTINUE;
}

static void holder_mark(void *memory)
{
    struct holder *h = memory;
    long i;
    rb_gc_mark(h->hash);
    rb_gc_mark(h->array);
    rb_gc_mark(h->string);
    if (h->hash) rb_hash_foreach(h->hash, mark_pair, 0);
    if (h->array) for (i = 0; i < RARRAY_LEN(h->array); i++) rb_gc_mark(rb_ary_entry(h->array, i));
    if (h->string && RSTRING_LEN(h->string) > 0 && RSTRING_PTR(h->string)[0] == 'x') rb_gc_mark(h->string);
    if (h->table) st_foreach(h->table, mark_entry, 0);
}

static void holder_free(void *memory)
{
    struct holder *h = memory;
    if (h->table) st_free_table(h->table);
    xfree(h);
    freed++;
}

static const rb_data_type_t holder_type = {"holder", {holder_mark, holder_free, 0}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE holder_alloc(VALUE klass)
{
    struct holder *h;
    VALUE self = TypedData_Make_Struct(klass, struct holder, &holder_type, h);
    h->table = st_init_numtable();
    return self;
}

static VALUE holder_set(VALUE self, VALUE hash, VALUE array, VALUE string)
{
    struct holder *h;
    TypedData_Get_Struct(self, struct holder, &holder_type, h);
    h->hash = hash;
    h->array = array;
    h->string = string;
    st_insert(h->table, 1, (st_data_t)rb_str_plus(string, string));
    return self;
}

static VALUE holder_get(VALUE self)
{
    struct holder *h;
    st_data_t kept = 0;
    TypedData_Get_Struct(self, struct holder, &holder_type, h);
    st_lookup(h->table, 1, &kept);
    return rb_ary_new_from_args(4, h->hash, h->array, h->string, (VALUE)kept);
}

static VALUE any_freed(VALUE self) { return freed > 0 ? Qtrue : Qfalse; }

/* ---- trace points ---- */

static void on_event(VALUE point, void *list)
{
    rb_trace_arg_t *arg = rb_tracearg_from_tracepoint(point);
    VALUE name = rb_tracearg_method_id(arg);
    if (rb_tracearg_event_flag(arg) == RUBY_EVENT_RETURN) name = rb_assoc_new(name, rb_tracearg_return_value(arg));
    rb_ary_push((VALUE)list, rb_assoc_new(rb_tracearg_event(arg), name));
}

static VALUE traced(VALUE self)
{
    VALUE list = rb_ary_new(), point = rb_tracepoint_new(0, RUBY_EVENT_CALL | RUBY_EVENT_RETURN, on_event, (void *)list);
    rb_tracepoint_enable(point);
    rb_yield(Qnil);
    rb_ary_push(list, rb_tracepoint_enabled_p(point));
    rb_tracepoint_disable(point);
    rb_yield(Qnil);
    rb_ary_push(list, rb_tracepoint_enabled_p(point));
    return list;
}

static VALUE seen;

static void on_call(rb_event_flag_t event, VALUE data, VALUE self, ID name, VALUE klass)
{
    if (event == RUBY_EVENT_CALL) rb_ary_push(seen, rb_assoc_new(data, self));
}

static VALUE hooked(VALUE self, VALUE data)
{
    seen = rb_ary_new();
    rb_add_event_hook(on_call, RUBY_EVENT_CALL, data);
    rb_yield(Qnil);
    rb_ary_push(seen, INT2FIX(rb_remove_event_hook(on_call)));
    rb_yield(Qnil);
    return seen;
}

static void on_raise(VALUE point, void *unused)
{
    rb_raise(rb_eArgError, "from the trace point: %"PRIsVALUE, rb_tracearg_raised_exception(rb_tracearg_from_tracepoint(point)));
}

static VALUE end_raise(VALUE point) { return rb_tracepoint_disable(point); }

static VALUE raising(VALUE self)
{
    VALUE point = rb_tracepoint_new(0, RUBY_EVENT_RAISE, on_raise, 0);
    rb_tracepoint_enable(point);
    return rb_ensure(rb_yield, Qnil, end_raise, point);
}

/* ---- events of the collector ---- */

static VALUE wanted, collector_point;
static long made, freed_of_wanted, last_line;
static int is_in_program;
static long pauses[5];

static void on_object(VALUE point, void *unused)
{
    rb_trace_arg_t *arg = rb_tracearg_from_tracepoint(point);
    VALUE object = rb_tracearg_object(arg);
    if (RBASIC_CLASS(object) != wanted || BUILTIN_TYPE(object) != T_OBJECT) return;
    if (rb_tracearg_event_flag(arg) == RUBY_INTERNAL_EVENT_FREEOBJ) {
        freed_of_wanted++;
        return;
    }
    made++;
    last_line = NUM2LONG(rb_tracearg_lineno(arg));
    VALUE path = rb_tracearg_path(arg);
    is_in_program = RB_TYPE_P(path, T_STRING) && strstr(RSTRING_PTR(path), "test.rb") != NULL;
}

/* Counts objects of a class while the block runs, and until `end_count`. */
static VALUE count_objects(VALUE self, VALUE klass)
{
    wanted = klass;
    made = freed_of_wanted = 0;
    collector_point = rb_tracepoint_new(0, RUBY_INTERNAL_EVENT_NEWOBJ | RUBY_INTERNAL_EVENT_FREEOBJ, on_object, NULL);
    rb_tracepoint_enable(collector_point);
    rb_yield(Qnil);
    return rb_ary_new_from_args(4, LONG2NUM(made), LONG2NUM(last_line), is_in_program ? Qtrue : Qfalse, rb_tracepoint_enabled_p(collector_point));
}

static VALUE end_count(VALUE self)
{
    rb_tracepoint_disable(collector_point);
    return rb_assoc_new(LONG2NUM(freed_of_wanted), rb_tracepoint_enabled_p(collector_point));
}

static void on_pause(VALUE data, rb_trace_arg_t *arg)
{
    switch (rb_tracearg_event_flag(arg)) {
      case RUBY_INTERNAL_EVENT_GC_START: pauses[0]++; break;
      case RUBY_INTERNAL_EVENT_GC_END_MARK: pauses[1]++; break;
      case RUBY_INTERNAL_EVENT_GC_END_SWEEP: pauses[2]++; break;
      case RUBY_INTERNAL_EVENT_GC_ENTER: pauses[3]++; break;
      case RUBY_INTERNAL_EVENT_GC_EXIT: pauses[4]++; break;
    }
}

/* Whether each of the collector's events came while the block ran. */
static VALUE count_pauses(VALUE self)
{
    VALUE seen = rb_ary_new();
    rb_event_flag_t events = RUBY_INTERNAL_EVENT_GC_START | RUBY_INTERNAL_EVENT_GC_END_MARK | RUBY_INTERNAL_EVENT_GC_END_SWEEP
        | RUBY_INTERNAL_EVENT_GC_ENTER | RUBY_INTERNAL_EVENT_GC_EXIT;
    memset(pauses, 0, sizeof pauses);
    rb_add_event_hook2((rb_event_hook_func_t)on_pause, events, Qnil, RUBY_EVENT_HOOK_FLAG_SAFE | RUBY_EVENT_HOOK_FLAG_RAW_ARG);
    rb_yield(Qnil);
    rb_remove_event_hook((rb_event_hook_func_t)on_pause);
    for (int i = 0; i < 5; i++) rb_ary_push(seen, pauses[i] > 0 ? Qtrue : Qfalse);
    return seen;
}

void Init_events(void)
{
    VALUE module = rb_define_module("Events"), holder = rb_define_class_under(module, "Holder", rb_cObject);
    rb_global_variable(&seen);
    rb_define_alloc_func(holder, holder_alloc);
    rb_define_method(holder, "set", holder_set, 3);
    rb_define_method(holder, "get", holder_get, 0);
    rb_define_module_function(module, "any_freed?", any_freed, 0);
    rb_define_module_function(module, "traced", traced, 0);
    rb_define_module_function(module, "hooked", hooked, 1);
    rb_define_module_function(module, "raising", raising, 0);
    rb_global_variable(&collector_point);
    rb_define_module_function(module, "count_objects", count_objects, 1);
    rb_define_module_function(module, "end_count", end_count, 0);
    rb_define_module_function(module, "count_pauses", count_pauses, 0);
}
