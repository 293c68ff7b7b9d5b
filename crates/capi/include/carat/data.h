/* C structs inside Ruby objects. */
#ifndef CARAT_DATA_H
#define CARAT_DATA_H 1
RUBY_SYMBOL_EXPORT_BEGIN
typedef void (*RUBY_DATA_FUNC)(void *);
struct RData { struct RBasic basic; RUBY_DATA_FUNC dmark; RUBY_DATA_FUNC dfree; void *data; };
typedef struct rb_data_type_struct rb_data_type_t;
struct rb_data_type_struct {
    const char *wrap_struct_name;
    struct {
        RUBY_DATA_FUNC dmark;
        RUBY_DATA_FUNC dfree;
        size_t (*dsize)(const void *);
        RUBY_DATA_FUNC dcompact;
        void *reserved[1];
    } function;
    const rb_data_type_t *parent;
    void *data;
    VALUE flags;
};
#define HAVE_TYPE_RB_DATA_TYPE_T 1
#define HAVE_RB_DATA_TYPE_T_FUNCTION 1
#define HAVE_RB_DATA_TYPE_T_PARENT 1
struct RTypedData { struct RBasic basic; const rb_data_type_t *type; VALUE typed_flag; void *data; };
#define RUBY_DEFAULT_FREE ((RUBY_DATA_FUNC)-1)
#define RUBY_NEVER_FREE ((RUBY_DATA_FUNC)0)
#define RUBY_TYPED_DEFAULT_FREE RUBY_DEFAULT_FREE
#define RUBY_TYPED_NEVER_FREE RUBY_NEVER_FREE
enum rbimpl_typeddata_flags {
    RUBY_TYPED_FREE_IMMEDIATELY = 1, RUBY_TYPED_EMBEDDABLE = 2, RUBY_TYPED_FROZEN_SHAREABLE = 4, RUBY_TYPED_WB_PROTECTED = 8,
    RUBY_TYPED_DECL_MARKING = 16, RUBY_TYPED_THREAD_SAFE_FREE = 1, RUBY_TYPED_FROZEN_SHAREABLE_NO_REC = 32, RUBY_TYPED_UNUSED = 0
};
#define RUBY_TYPED_FREE_IMMEDIATELY RUBY_TYPED_FREE_IMMEDIATELY
#define RUBY_TYPED_FROZEN_SHAREABLE RUBY_TYPED_FROZEN_SHAREABLE
#define RUBY_TYPED_WB_PROTECTED RUBY_TYPED_WB_PROTECTED
#define RUBY_TYPED_DECL_MARKING RUBY_TYPED_DECL_MARKING
#define RUBY_TYPED_EMBEDDABLE RUBY_TYPED_EMBEDDABLE
#define RUBY_TYPED_THREAD_SAFE_FREE RUBY_TYPED_THREAD_SAFE_FREE
/* With RUBY_TYPED_DECL_MARKING, dmark is a list of offsets of VALUEs instead of a function. */
#define RUBY_REF_EDGE(type, member) offsetof(type, member)
#define RUBY_REF_END SIZE_MAX
#define RUBY_REFERENCES(list) static const size_t list[]
#define RUBY_REFS_LIST_PTR(list) ((RUBY_DATA_FUNC)(uintptr_t)(list))
#define RUBY_REFERENCES_START(t) static const size_t t[] = {
#define RUBY_REFERENCES_END RUBY_REF_END, };
#define RDATA(v) ((struct RData *)(v))
#define RTYPEDDATA(v) ((struct RTypedData *)(v))
#define DATA_PTR(v) (RDATA(v)->data)
#define RTYPEDDATA_DATA(v) (RTYPEDDATA(v)->data)
static inline void *RTYPEDDATA_GET_DATA(VALUE v) { return RTYPEDDATA_DATA(v); }
static inline bool rbimpl_rtypeddata_p(VALUE v) { return RTYPEDDATA(v)->typed_flag == 1; }
static inline bool RTYPEDDATA_P(VALUE v) { return RB_FL_ABLE(v) && carat_heap_type(v) == CARAT_CDATA && rbimpl_rtypeddata_p(v); }
#define RTYPEDDATA_P RTYPEDDATA_P
static inline const rb_data_type_t *RTYPEDDATA_TYPE(VALUE v) { return RTYPEDDATA_P(v) ? RTYPEDDATA(v)->type : 0; }
#define RTYPEDDATA_TYPE RTYPEDDATA_TYPE
#define rb_data_object_get(v) (RDATA(v)->data)
VALUE rb_data_object_wrap(VALUE, void *, RUBY_DATA_FUNC, RUBY_DATA_FUNC);
VALUE rb_data_object_zalloc(VALUE, size_t, RUBY_DATA_FUNC, RUBY_DATA_FUNC);
VALUE rb_data_typed_object_wrap(VALUE, void *, const rb_data_type_t *);
VALUE rb_data_typed_object_zalloc(VALUE, size_t, const rb_data_type_t *);
void *rb_check_typeddata(VALUE, const rb_data_type_t *);
int rb_typeddata_is_kind_of(VALUE, const rb_data_type_t *);
int rb_typeddata_inherited_p(const rb_data_type_t *, const rb_data_type_t *);
int rb_typeddata_is_instance_of(VALUE, const rb_data_type_t *);
#define rb_data_object_alloc rb_data_object_wrap
#define rb_data_typed_object_alloc rb_data_typed_object_wrap
static inline void *carat_data_get(VALUE v) { rb_check_type(v, RUBY_T_DATA); return DATA_PTR(v); }
#define rb_data_object_get_warning carat_data_get
#define Data_Wrap_Struct(c, mark, free, p) rb_data_object_wrap((c), (p), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free))
#define Data_Make_Struct(c, type, mark, free, p) __extension__ ({ \
    VALUE data_struct_obj = rb_data_object_zalloc((c), sizeof(type), (RUBY_DATA_FUNC)(mark), (RUBY_DATA_FUNC)(free)); \
    (p) = (type *)DATA_PTR(data_struct_obj); (void)(p); data_struct_obj; })
#define Data_Get_Struct(v, type, p) ((p) = (type *)carat_data_get(v))
#define TypedData_Wrap_Struct(c, data_type, p) rb_data_typed_object_wrap((c), (p), (data_type))
#define TypedData_Make_Struct(c, type, data_type, p) __extension__ ({ \
    VALUE data_struct_obj = rb_data_typed_object_zalloc((c), sizeof(type), (data_type)); \
    (p) = (type *)RTYPEDDATA_DATA(data_struct_obj); (void)(p); data_struct_obj; })
#define TypedData_Make_Struct0(result, c, type, size, data_type, p) \
    VALUE result = rb_data_typed_object_zalloc((c), (size), (data_type)); (p) = (type *)RTYPEDDATA_DATA(result)
#define TypedData_Get_Struct(v, type, data_type, p) ((p) = (type *)rb_check_typeddata((v), (data_type)))
#define Check_TypedStruct(v, data_type) rb_check_typeddata((v), (data_type))
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_typeddata_inherited_p rb_typeddata_inherited_p
#define rb_typeddata_is_kind_of rb_typeddata_is_kind_of
#define rb_data_object_wrap rb_data_object_wrap
RUBY_SYMBOL_EXPORT_END
#endif
