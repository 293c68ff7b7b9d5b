/* Classes of digests whose algorithm an extension brings. Digest::Base itself has native ones. */
#include "ruby/ruby.h"
#include "ruby/digest.h"

/* What an object of such a class holds: its algorithm, and behind it the algorithm's state. */
struct digest {
    const rb_digest_metadata_t *metadata;
    _Alignas(max_align_t) unsigned char context[];
};

static const rb_data_type_t metadata_type = {"digest/metadata", {0, 0, 0, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY};

static size_t digest_size(const void *data)
{
    const struct digest *digest = data;
    return sizeof *digest + digest->metadata->ctx_size;
}

static const rb_data_type_t digest_type = {
    "digest", {0, RUBY_DEFAULT_FREE, digest_size, 0, {0}}, 0, 0, RUBY_TYPED_FREE_IMMEDIATELY | RUBY_TYPED_WB_PROTECTED,
};

/* The nearest class above that says what its algorithm is. */
static VALUE described(VALUE class_)
{
    while (RTEST(class_) && !rb_ivar_defined(class_, rb_id_metadata())) class_ = rb_class_superclass(class_);
    return class_;
}

static const rb_digest_metadata_t *metadata_of(VALUE class_)
{
    VALUE wrapped = rb_ivar_get(class_, rb_id_metadata());
    if (!rb_typeddata_is_kind_of(wrapped, &metadata_type)) {
        rb_raise(rb_eTypeError, "wrong Digest API: %" PRIsVALUE, class_);
    }
    const rb_digest_metadata_t *metadata = rb_check_typeddata(wrapped, &metadata_type);
    if (metadata->api_version != RUBY_DIGEST_API_VERSION) rb_raise(rb_eRuntimeError, "Incompatible digest API version");
    return metadata;
}

static struct digest *digest_of(VALUE object)
{
    return rb_check_typeddata(object, &digest_type);
}

static void start(struct digest *digest)
{
    if (digest->metadata->init_func(digest->context) != 1) rb_raise(rb_eRuntimeError, "Digest initialization failed.");
}

static VALUE initialize_copy(VALUE copy, VALUE other)
{
    if (copy == other) return copy;
    rb_check_frozen(copy);
    struct digest *to = digest_of(copy), *from = digest_of(other);
    if (to->metadata != from->metadata) rb_raise(rb_eTypeError, "different algorithms");
    memcpy(to->context, from->context, to->metadata->ctx_size);
    return copy;
}

static VALUE reset(VALUE self)
{
    start(digest_of(self));
    return self;
}

static VALUE update(VALUE self, VALUE string)
{
    struct digest *digest = digest_of(self);
    StringValue(string);
    digest->metadata->update_func(digest->context, (unsigned char *)RSTRING_PTR(string), (size_t)RSTRING_LEN(string));
    RB_GC_GUARD(string);
    return self;
}

static VALUE finish(VALUE self)
{
    struct digest *digest = digest_of(self);
    VALUE string = rb_str_new(0, (long)digest->metadata->digest_len);
    digest->metadata->finish_func(digest->context, (unsigned char *)RSTRING_PTR(string));
    /* The state is used up. */
    start(digest);
    return string;
}

static VALUE digest_length(VALUE self) { return SIZET2NUM(digest_of(self)->metadata->digest_len); }
static VALUE block_length(VALUE self) { return SIZET2NUM(digest_of(self)->metadata->block_len); }

static void define_methods(VALUE class_)
{
    rb_define_method(class_, "initialize_copy", initialize_copy, 1);
    rb_define_method(class_, "reset", reset, 0);
    rb_define_method(class_, "update", update, 1);
    rb_define_method(class_, "<<", update, 1);
    rb_define_private_method(class_, "finish", finish, 0);
    rb_define_method(class_, "digest_length", digest_length, 0);
    rb_define_method(class_, "block_length", block_length, 0);
}

static VALUE allocate(VALUE class_)
{
    VALUE owner = described(class_);
    if (!RTEST(owner)) rb_raise(rb_eNotImpError, "Digest::Base is an abstract class");
    const rb_digest_metadata_t *metadata = metadata_of(owner);
    /* Below Digest::Base stand methods that know native digests only. */
    ID has_methods = rb_intern("has_methods");
    if (!rb_ivar_defined(owner, has_methods)) {
        define_methods(owner);
        rb_ivar_set(owner, has_methods, Qtrue);
    }
    struct digest *digest = xcalloc(1, sizeof *digest + metadata->ctx_size);
    digest->metadata = metadata;
    VALUE made = rb_data_typed_object_wrap(class_, digest, &digest_type);
    start(digest);
    return made;
}

VALUE rb_digest_wrap_metadata(const rb_digest_metadata_t *metadata)
{
    VALUE base = rb_const_get(rb_digest_namespace(), rb_intern("Base"));
    rb_define_alloc_func(base, allocate);
    return rb_obj_freeze(rb_data_typed_object_wrap(rb_cObject, (void *)metadata, &metadata_type));
}
