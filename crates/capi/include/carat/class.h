/* Classes, methods, constants, variables, symbols. */
#ifndef CARAT_CLASS_H
#define CARAT_CLASS_H 1
/* One class of integers: the classes that extensions ask for otherwise do not exist. */
#define RUBY_INTEGER_UNIFICATION 1
RUBY_SYMBOL_EXPORT_BEGIN
#define CARAT_CLASSES(name) \
    name(rb_mKernel) name(rb_mComparable) name(rb_mEnumerable) name(rb_mErrno) name(rb_mFileTest) name(rb_mGC) name(rb_mMath) \
    name(rb_mProcess) name(rb_mWaitReadable) name(rb_mWaitWritable) name(rb_cBasicObject) name(rb_cObject) name(rb_cArray) \
    name(rb_cBinding) name(rb_cClass) name(rb_cDir) name(rb_cEncoding) name(rb_cEnumerator) name(rb_cFalseClass) name(rb_cFiber) name(rb_cFile) \
    name(rb_cArithSeq) name(rb_cComplex) name(rb_cFloat) name(rb_cHash) name(rb_cIO) name(rb_cIOBuffer) name(rb_cInteger) name(rb_cMatch) name(rb_cMethod) \
    name(rb_cModule) name(rb_cRefinement) name(rb_cNilClass) name(rb_cNumeric) name(rb_cProc) name(rb_cRandom) name(rb_cRange) \
    name(rb_cRational) name(rb_cRegexp) name(rb_cSet) name(rb_cStat) name(rb_cString) name(rb_cStruct) name(rb_cSymbol) \
    name(rb_cThread) name(rb_cTime) name(rb_cTrueClass) name(rb_cUnboundMethod) name(rb_cRactor) \
    name(rb_eException) name(rb_eStandardError) name(rb_eSystemExit) name(rb_eInterrupt) name(rb_eSignal) name(rb_eFatal) \
    name(rb_eArgError) name(rb_eEOFError) name(rb_eIndexError) name(rb_eStopIteration) name(rb_eKeyError) name(rb_eRangeError) \
    name(rb_eIOError) name(rb_eRuntimeError) name(rb_eFrozenError) name(rb_eSecurityError) name(rb_eSystemCallError) \
    name(rb_eThreadError) name(rb_eTypeError) name(rb_eZeroDivError) name(rb_eNotImpError) name(rb_eNoMemError) \
    name(rb_eNoMethodError) name(rb_eFloatDomainError) name(rb_eLocalJumpError) name(rb_eSysStackError) name(rb_eRegexpError) \
    name(rb_eEncodingError) name(rb_eEncCompatError) name(rb_eNoMatchingPatternError) name(rb_eNoMatchingPatternKeyError) \
    name(rb_eScriptError) name(rb_eNameError) name(rb_eSyntaxError) name(rb_eLoadError) name(rb_eMathDomainError) \
    name(rb_eIOTimeoutError) name(rb_eEAGAIN) name(rb_eEWOULDBLOCK) name(rb_eEINPROGRESS)
#define CARAT_DECLARE(name) extern VALUE name;
CARAT_CLASSES(CARAT_DECLARE)
extern VALUE rb_stdin, rb_stdout, rb_stderr, rb_argv0, rb_fs, rb_output_fs, rb_rs, rb_default_rs, rb_output_rs;
#define rb_defout rb_stdout
extern const int ruby_api_version[3];
extern const char ruby_version[], ruby_release_date[], ruby_platform[], ruby_description[], ruby_copyright[], ruby_engine[];
extern const int ruby_patchlevel;

VALUE rb_class_of(VALUE);
VALUE rb_obj_class(VALUE);
VALUE rb_class_real(VALUE);
VALUE rb_singleton_class(VALUE);
const char *rb_class2name(VALUE);
const char *rb_obj_classname(VALUE);
VALUE rb_class_name(VALUE);
VALUE rb_mod_name(VALUE);
VALUE rb_class_path(VALUE);
VALUE rb_class_path_cached(VALUE);
void rb_set_class_path(VALUE, VALUE, const char *);
VALUE rb_path2class(const char *);
VALUE rb_path_to_class(VALUE);
VALUE rb_class_new(VALUE);
VALUE rb_module_new(void);
VALUE rb_class_superclass(VALUE);
VALUE rb_class_get_superclass(VALUE);
VALUE rb_class_attached_object(VALUE);
VALUE rb_class_inherited_p(VALUE, VALUE);
VALUE rb_class_subclasses(VALUE);
VALUE rb_class_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_public_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_private_instance_methods(int, const VALUE *, VALUE);
VALUE rb_class_protected_instance_methods(int, const VALUE *, VALUE);
VALUE rb_obj_singleton_methods(int, const VALUE *, VALUE);
VALUE rb_mod_ancestors(VALUE);
VALUE rb_mod_included_modules(VALUE);
VALUE rb_mod_include_p(VALUE, VALUE);
VALUE rb_mod_module_eval(int, const VALUE *, VALUE);
void rb_include_module(VALUE, VALUE);
void rb_prepend_module(VALUE, VALUE);
void rb_extend_object(VALUE, VALUE);
VALUE rb_define_class(const char *, VALUE);
VALUE rb_define_module(const char *);
VALUE rb_define_class_under(VALUE, const char *, VALUE);
VALUE rb_define_module_under(VALUE, const char *);
VALUE rb_define_class_id(ID, VALUE);
VALUE rb_define_module_id(ID);
VALUE rb_define_class_id_under(VALUE, ID, VALUE);
VALUE rb_define_module_id_under(VALUE, ID);
#define CLASS_OF rb_class_of
#define RBASIC_CLASS rb_class_of
#define RCLASS_SUPER rb_class_get_superclass
#define RCLASS(v) ((void)(v))
#define RMODULE_SUPER RCLASS_SUPER

typedef VALUE carat_function(ANYARGS);
typedef VALUE (*rb_alloc_func_t)(VALUE);
#define RUBY_METHOD_FUNC(f) ((carat_function *)(f))
#ifdef __cplusplus
/* C++ has several functions of one name: which one is meant, only what a method may look like can say. */
extern "C++" {
template <typename F> static inline carat_function *carat_method(F f) { return (carat_function *)f; }
#define CARAT_METHOD(...) static inline carat_function *carat_method(VALUE (*f)(__VA_ARGS__)) { return (carat_function *)f; }
CARAT_METHOD(int, VALUE *, VALUE)
CARAT_METHOD(int, const VALUE *, VALUE)
CARAT_METHOD(VALUE)
CARAT_METHOD(VALUE, VALUE)
CARAT_METHOD(VALUE, VALUE, VALUE)
CARAT_METHOD(VALUE, VALUE, VALUE, VALUE)
CARAT_METHOD(VALUE, VALUE, VALUE, VALUE, VALUE)
CARAT_METHOD(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE)
CARAT_METHOD(VALUE, VALUE, VALUE, VALUE, VALUE, VALUE, VALUE)
#undef CARAT_METHOD
}
#else
#define carat_method(f) ((carat_function *)(f))
#endif
void rb_define_method(VALUE, const char *, carat_function *, int);
void rb_define_method_id(VALUE, ID, carat_function *, int);
void rb_define_private_method(VALUE, const char *, carat_function *, int);
void rb_define_protected_method(VALUE, const char *, carat_function *, int);
void rb_define_singleton_method(VALUE, const char *, carat_function *, int);
void rb_define_module_function(VALUE, const char *, carat_function *, int);
void rb_define_global_function(const char *, carat_function *, int);
#define rb_define_method(c, n, f, a) rb_define_method(c, n, carat_method(f), a)
#define rb_define_method_id(c, n, f, a) rb_define_method_id(c, n, carat_method(f), a)
#define rb_define_private_method(c, n, f, a) rb_define_private_method(c, n, carat_method(f), a)
#define rb_define_protected_method(c, n, f, a) rb_define_protected_method(c, n, carat_method(f), a)
#define rb_define_singleton_method(c, n, f, a) rb_define_singleton_method(c, n, carat_method(f), a)
#define rb_define_module_function(c, n, f, a) rb_define_module_function(c, n, carat_method(f), a)
#define rb_define_global_function(n, f, a) rb_define_global_function(n, carat_method(f), a)
void rb_define_alloc_func(VALUE, rb_alloc_func_t);
void rb_undef_alloc_func(VALUE);
rb_alloc_func_t rb_get_alloc_func(VALUE);
void rb_define_alias(VALUE, const char *, const char *);
void rb_alias(VALUE, ID, ID);
void rb_define_attr(VALUE, const char *, int, int);
void rb_attr(VALUE, ID, int, int, int);
void rb_undef_method(VALUE, const char *);
void rb_undef(VALUE, ID);
void rb_remove_method(VALUE, const char *);
void rb_remove_method_id(VALUE, ID);
int rb_method_boundp(VALUE, ID, int);
int rb_method_basic_definition_p(VALUE, ID);
int rb_obj_method_arity(VALUE, ID);
int rb_mod_method_arity(VALUE, ID);
VALUE rb_f_notimplement(int, const VALUE *, VALUE, VALUE);

VALUE rb_const_get(VALUE, ID);
VALUE rb_const_get_at(VALUE, ID);
VALUE rb_const_get_from(VALUE, ID);
void rb_const_set(VALUE, ID, VALUE);
int rb_const_defined(VALUE, ID);
int rb_const_defined_at(VALUE, ID);
int rb_const_defined_from(VALUE, ID);
VALUE rb_const_remove(VALUE, ID);
VALUE rb_mod_remove_const(VALUE, VALUE);
VALUE rb_mod_constants(int, const VALUE *, VALUE);
void rb_define_const(VALUE, const char *, VALUE);
void rb_define_global_const(const char *, VALUE);
void rb_deprecate_constant(VALUE, const char *, ...);

VALUE rb_ivar_get(VALUE, ID);
VALUE rb_ivar_set(VALUE, ID, VALUE);
VALUE rb_ivar_defined(VALUE, ID);
VALUE rb_attr_get(VALUE, ID);
st_index_t rb_ivar_count(VALUE);
void rb_ivar_foreach(VALUE, int (*)(ID, VALUE, st_data_t), st_data_t);
VALUE rb_iv_get(VALUE, const char *);
VALUE rb_iv_set(VALUE, const char *, VALUE);
void rb_copy_generic_ivar(VALUE, VALUE);
void rb_free_generic_ivar(VALUE);
VALUE rb_obj_instance_variables(VALUE);
VALUE rb_obj_remove_instance_variable(VALUE, VALUE);
VALUE rb_cvar_get(VALUE, ID);
void rb_cvar_set(VALUE, ID, VALUE);
VALUE rb_cvar_defined(VALUE, ID);
VALUE rb_cv_get(VALUE, const char *);
void rb_cv_set(VALUE, const char *, VALUE);
void rb_define_class_variable(VALUE, const char *, VALUE);
VALUE rb_mod_class_variables(int, const VALUE *, VALUE);

typedef VALUE rb_gvar_getter_t(ID, VALUE *);
typedef void rb_gvar_setter_t(VALUE, ID, VALUE *);
typedef void rb_gvar_marker_t(VALUE *);
VALUE rb_gv_get(const char *);
VALUE rb_gv_set(const char *, VALUE);
void rb_define_variable(const char *, VALUE *);
void rb_define_readonly_variable(const char *, const VALUE *);
void rb_define_hooked_variable(const char *, VALUE *, rb_gvar_getter_t *, rb_gvar_setter_t *);
void rb_define_virtual_variable(const char *, rb_gvar_getter_t *, rb_gvar_setter_t *);
rb_gvar_getter_t rb_gvar_var_getter, rb_gvar_undef_getter, rb_gvar_val_getter;
rb_gvar_setter_t rb_gvar_readonly_setter, rb_gvar_var_setter, rb_gvar_undef_setter, rb_gvar_val_setter;
VALUE rb_f_global_variables(void);
void rb_alias_variable(ID, ID);

ID rb_intern(const char *);
ID rb_intern2(const char *, long);
ID rb_intern3(const char *, long, rb_encoding *);
ID rb_intern_str(VALUE);
static inline ID rb_intern_const(const char *name) { return rb_intern2(name, (long)strlen(name)); }
#define rb_intern_const rb_intern_const
#ifdef __OPTIMIZE__
/* The number of a name that is written out is asked for once. */
# define rb_intern(name) \
    (__builtin_constant_p(name) ? __extension__ ({ static ID carat_id; if (!carat_id) carat_id = rb_intern2((name), (long)strlen(name)); carat_id; }) \
        : rb_intern(name))
#endif
#define RUBY_CONST_ID(var, name) do { static ID carat_id; if (!carat_id) carat_id = rb_intern_const(name); (var) = carat_id; } while (0)
#define CONST_ID RUBY_CONST_ID
const char *rb_id2name(ID);
VALUE rb_id2str(ID);
VALUE rb_id2sym(ID);
ID rb_sym2id(VALUE);
VALUE rb_sym2str(VALUE);
VALUE rb_sym_to_s(VALUE);
VALUE rb_sym_all_symbols(void);
VALUE rb_sym_proc(VALUE);
ID rb_to_id(VALUE);
VALUE rb_to_symbol(VALUE);
VALUE rb_check_symbol(volatile VALUE *);
ID rb_check_id(volatile VALUE *);
VALUE rb_check_symbol_cstr(const char *, long, rb_encoding *);
ID rb_check_id_cstr(const char *, long, rb_encoding *);
int rb_is_const_id(ID);
int rb_is_instance_id(ID);
int rb_is_class_id(ID);
int rb_is_local_id(ID);
int rb_is_global_id(ID);
int rb_is_attrset_id(ID);
ID rb_id_attrset(ID);
#define RB_ID2SYM rb_id2sym
#define RB_SYM2ID rb_sym2id
#define ID2SYM RB_ID2SYM
#define SYM2ID RB_SYM2ID
RUBY_SYMBOL_EXPORT_END
#endif
