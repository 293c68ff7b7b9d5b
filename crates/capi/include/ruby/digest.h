/* Digests whose algorithm is C: a class below Digest::Base has what this describes in its variable "metadata". */
#ifndef RUBY_DIGEST_H
#define RUBY_DIGEST_H 1
#include "ruby/ruby.h"
RUBY_SYMBOL_EXPORT_BEGIN
#define RUBY_DIGEST_API_VERSION 3
typedef int (*rb_digest_hash_init_func_t)(void *);
typedef void (*rb_digest_hash_update_func_t)(void *, unsigned char *, size_t);
typedef int (*rb_digest_hash_finish_func_t)(void *, unsigned char *);
typedef struct {
    int api_version;
    size_t digest_len;
    size_t block_len;
    size_t ctx_size;
    rb_digest_hash_init_func_t init_func;
    rb_digest_hash_update_func_t update_func;
    rb_digest_hash_finish_func_t finish_func;
} rb_digest_metadata_t;
VALUE rb_digest_wrap_metadata(const rb_digest_metadata_t *);
static inline VALUE rb_digest_namespace(void) { rb_require("digest"); return rb_path2class("Digest"); }
static inline ID rb_id_metadata(void) { return rb_intern("metadata"); }
static inline VALUE rb_digest_make_metadata(const rb_digest_metadata_t *metadata) { return rb_digest_wrap_metadata(metadata); }
/* For algorithms that count bytes with an unsigned int. */
#define DEFINE_UPDATE_FUNC_FOR_UINT(name) \
    void rb_digest_##name##_update(void *context, unsigned char *bytes, size_t count) \
    { \
        for (; count > 0x4000; count -= 0x4000, bytes += 0x4000) name##_Update(context, bytes, 0x4000); \
        if (count) name##_Update(context, bytes, (unsigned int)count); \
    }
#define DEFINE_FINISH_FUNC_FROM_FINAL(name) \
    int rb_digest_##name##_finish(void *context, unsigned char *bytes) { return name##_Final(bytes, context); }
RUBY_SYMBOL_EXPORT_END
#endif
