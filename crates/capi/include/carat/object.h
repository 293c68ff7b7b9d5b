/* What every object has: calls, conversions, comparison. */
#ifndef CARAT_OBJECT_H
#define CARAT_OBJECT_H 1
RUBY_SYMBOL_EXPORT_BEGIN
#define RB_NO_KEYWORDS 0
#define RB_PASS_KEYWORDS 1
#define RB_PASS_CALLED_KEYWORDS (!!rb_keyword_given_p())
int rb_keyword_given_p(void);
VALUE rb_funcall(VALUE, ID, int, ...);
VALUE rb_funcallv(VALUE, ID, int, const VALUE *);
VALUE rb_funcallv_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_funcallv_public(VALUE, ID, int, const VALUE *);
VALUE rb_funcallv_public_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_funcall_passing_block(VALUE, ID, int, const VALUE *);
VALUE rb_funcall_passing_block_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_funcall_with_block(VALUE, ID, int, const VALUE *, VALUE);
VALUE rb_funcall_with_block_kw(VALUE, ID, int, const VALUE *, VALUE, int);
VALUE rb_check_funcall(VALUE, ID, int, const VALUE *);
VALUE rb_check_funcall_kw(VALUE, ID, int, const VALUE *, int);
VALUE rb_call_super(int, const VALUE *);
VALUE rb_call_super_kw(int, const VALUE *, int);
VALUE rb_current_receiver(void);
VALUE rb_apply(VALUE, ID, VALUE);
VALUE rb_eval_cmd_kw(VALUE, VALUE, int);
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(CARAT_SHIM)
/* Arguments that the compiler can count are a list where the call stands. */
#define rb_funcall(receiver, name, count, ...) __extension__({ \
    const int carat_count = (count); \
    const VALUE carat_list[] = {__VA_ARGS__}; \
    const int carat_given = (int)(sizeof(carat_list) / sizeof(VALUE)); \
    rb_funcallv((receiver), (name), carat_count < carat_given ? carat_count : carat_given, carat_given ? carat_list : 0); \
})
#endif
#define rb_funcall2 rb_funcallv
#define rb_funcall3 rb_funcallv_public
#define rb_eval_cmd(c, a, ignored) rb_eval_cmd_kw(c, a, 0)
VALUE rb_obj_alloc(VALUE);
size_t rb_obj_memsize_of(VALUE);
VALUE rb_class_new_instance(int, const VALUE *, VALUE);
VALUE rb_class_new_instance_kw(int, const VALUE *, VALUE, int);
VALUE rb_class_new_instance_pass_kw(int, const VALUE *, VALUE);
void rb_obj_call_init(VALUE, int, const VALUE *);
void rb_obj_call_init_kw(VALUE, int, const VALUE *, int);
VALUE rb_obj_clone(VALUE);
VALUE rb_obj_dup(VALUE);
VALUE rb_obj_init_copy(VALUE, VALUE);
VALUE rb_obj_frozen_p(VALUE);
VALUE rb_obj_id(VALUE);
VALUE rb_memory_id(VALUE);
VALUE rb_obj_is_kind_of(VALUE, VALUE);
VALUE rb_obj_is_instance_of(VALUE, VALUE);
VALUE rb_obj_is_proc(VALUE);
VALUE rb_obj_is_method(VALUE);
VALUE rb_obj_is_fiber(VALUE);
VALUE rb_obj_method(VALUE, VALUE);
VALUE rb_method_call(int, const VALUE *, VALUE);
VALUE rb_method_call_kw(int, const VALUE *, VALUE, int);
VALUE rb_method_call_with_block(int, const VALUE *, VALUE, VALUE);
VALUE rb_method_call_with_block_kw(int, const VALUE *, VALUE, VALUE, int);
VALUE rb_obj_as_string(VALUE);
VALUE rb_any_to_s(VALUE);
VALUE rb_inspect(VALUE);
VALUE rb_equal(VALUE, VALUE);
int rb_eql(VALUE, VALUE);
VALUE rb_hash(VALUE);
int rb_cmpint(VALUE, VALUE, VALUE);
void rb_cmperr(VALUE, VALUE) __attribute__((__noreturn__));
int rb_respond_to(VALUE, ID);
int rb_obj_respond_to(VALUE, ID, int);
VALUE rb_obj_instance_eval(int, const VALUE *, VALUE);
VALUE rb_obj_instance_exec(int, const VALUE *, VALUE);
void rb_p(VALUE);
VALUE rb_convert_type(VALUE, int, const char *, const char *);
VALUE rb_check_convert_type(VALUE, int, const char *, const char *);
VALUE rb_check_to_integer(VALUE, const char *);
VALUE rb_check_to_float(VALUE);
VALUE rb_check_to_int(VALUE);
VALUE rb_to_int(VALUE);
VALUE rb_to_float(VALUE);
VALUE rb_Integer(VALUE);
VALUE rb_Float(VALUE);
VALUE rb_String(VALUE);
VALUE rb_Array(VALUE);
VALUE rb_Hash(VALUE);
VALUE rb_eval_string(const char *);
VALUE rb_eval_string_protect(const char *, int *);
VALUE rb_eval_string_wrap(const char *, int *);
VALUE rb_require(const char *);
VALUE rb_f_require(VALUE, VALUE);
VALUE rb_require_string(VALUE);
void rb_load(VALUE, int);
void rb_load_protect(VALUE, int, int *);
void rb_provide(const char *);
int rb_provided(const char *);
int rb_feature_provided(const char *, const char **);
VALUE rb_enumeratorize(VALUE, VALUE, int, const VALUE *);
typedef VALUE rb_enumerator_size_func(VALUE, VALUE, VALUE);
VALUE rb_enumeratorize_with_size(VALUE, VALUE, int, const VALUE *, rb_enumerator_size_func *);
VALUE rb_enumeratorize_with_size_kw(VALUE, VALUE, int, const VALUE *, rb_enumerator_size_func *, int);
VALUE rb_enum_values_pack(int, const VALUE *);
#define rb_enumeratorize_with_size(o, m, c, v, f) rb_enumeratorize_with_size(o, m, c, v, (rb_enumerator_size_func *)(f))
#define SIZED_ENUMERATOR(o, c, v, f) rb_enumeratorize_with_size((o), rb_id2sym(rb_frame_this_func()), (c), (v), (f))
#define RETURN_SIZED_ENUMERATOR(o, c, v, f) do { if (!rb_block_given_p()) return SIZED_ENUMERATOR(o, c, v, f); } while (0)
#define SIZED_ENUMERATOR_KW(o, c, v, f, k) rb_enumeratorize_with_size_kw((o), rb_id2sym(rb_frame_this_func()), (c), (v), (rb_enumerator_size_func *)(f), (k))
#define RETURN_SIZED_ENUMERATOR_KW(o, c, v, f, k) do { if (!rb_block_given_p()) return SIZED_ENUMERATOR_KW(o, c, v, f, k); } while (0)
#define RETURN_ENUMERATOR_KW(o, c, v, k) RETURN_SIZED_ENUMERATOR_KW(o, c, v, 0, k)
#define RETURN_ENUMERATOR(o, c, v) RETURN_SIZED_ENUMERATOR(o, c, v, 0)
typedef struct { VALUE begin, end, step; int exclude_end; } rb_arithmetic_sequence_components_t;
int rb_arithmetic_sequence_extract(VALUE, rb_arithmetic_sequence_components_t *);
VALUE rb_arithmetic_sequence_beg_len_step(VALUE, long *, long *, long *, long, int);
VALUE rb_exec_recursive(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE);
VALUE rb_exec_recursive_paired(VALUE (*)(VALUE, VALUE, int), VALUE, VALUE, VALUE);
VALUE rb_marshal_dump(VALUE, VALUE);
VALUE rb_marshal_load(VALUE);
VALUE rb_binding_new(void);
#define OBJ_INIT_COPY(object, original) ((object) != (original) && (rb_obj_init_copy((object), (original)), 1))

/* Arguments by a format: required, optional, rest, post, keywords, block. */
#define RB_SCAN_ARGS_PASS_CALLED_KEYWORDS 0
#define RB_SCAN_ARGS_KEYWORDS 1
#define RB_SCAN_ARGS_LAST_HASH_KEYWORDS 3
int rb_scan_args(int, const VALUE *, const char *, ...);
int rb_scan_args_kw(int, int, const VALUE *, const char *, ...);
void rb_error_arity(int, int, int) __attribute__((__noreturn__));
int rb_block_given_p(void);
VALUE rb_block_proc(void);
VALUE rb_ary_new_from_values(long, const VALUE *);
#if defined(__GNUC__) && !defined(__cplusplus) && !defined(CARAT_SHIM)
/* A format that the compiler knows, and that speaks of no keywords, costs what its parts do. */
__attribute__((__always_inline__)) static inline int carat_digit(const char *format, int *at)
{
    return format[*at] >= '0' && format[*at] <= '9' ? format[(*at)++] - '0' : -1;
}
__attribute__((__always_inline__)) static inline int carat_scan_args(int count, const VALUE *values, const char *format, VALUE **places)
{
    int at = 0, lead = carat_digit(format, &at), optional = -1, trail = -1, rest = 0, block = 0;
    if (lead >= 0) optional = carat_digit(format, &at);
    if (optional >= 0) trail = carat_digit(format, &at);
    if (format[at] == '*') {
        rest = 1;
        at++;
        int behind = carat_digit(format, &at);
        if (behind >= 0) trail = behind;
    }
    if (format[at] == '&') { block = 1; at++; }
    if (lead < 0) lead = 0;
    if (optional < 0) optional = 0;
    if (trail < 0) trail = 0;
    if (format[at]) return rb_scan_args(count, values, format);
    if (count < lead + trail || (!rest && count > lead + optional + trail))
        rb_error_arity(count, lead + trail, rest ? -1 : lead + optional + trail);
    int next = 0, place = 0;
    for (int i = 0; i < lead; i++, next++, place++) if (places[place]) *places[place] = values[next];
    for (int i = 0; i < optional; i++, place++) {
        VALUE value = next < count - trail ? values[next++] : Qnil;
        if (places[place]) *places[place] = value;
    }
    if (rest) {
        int left = count - trail > next ? count - trail - next : 0;
        if (places[place]) *places[place] = rb_ary_new_from_values(left, values + next);
        next += left;
        place++;
    }
    for (int i = 0; i < trail; i++, next++, place++) if (places[place]) *places[place] = values[next];
    if (block && places[place]) *places[place] = rb_block_given_p() ? rb_block_proc() : Qnil;
    return count;
}
#define rb_scan_args(count, values, format, ...) \
    (__builtin_constant_p(format) && !__builtin_strchr((format), ':') \
        ? carat_scan_args((count), (values), (format), (VALUE *[]){__VA_ARGS__}) \
        : rb_scan_args((count), (values), (format), ##__VA_ARGS__))
#endif
int rb_get_kwargs(VALUE, const ID *, int, int, VALUE *);
VALUE rb_extract_keywords(VALUE *);
void rb_error_arity(int, int, int) __attribute__((__noreturn__));
#define UNLIMITED_ARGUMENTS (-1)
static inline int rb_check_arity(int argc, int min, int max)
{
    if (argc < min || (max != UNLIMITED_ARGUMENTS && argc > max)) rb_error_arity(argc, min, max);
    return argc;
}
#define rb_check_arity rb_check_arity
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_enumeratorize_with_size_kw rb_enumeratorize_with_size_kw
RUBY_SYMBOL_EXPORT_END
#endif
