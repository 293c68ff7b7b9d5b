/* A digest whose algorithm is C: the sum of all bytes, and how many they were. */
#include <ruby.h>
#include <ruby/digest.h>

struct sum {
    unsigned int total, count;
};

static int sum_init(void *context)
{
    struct sum *sum = context;
    sum->total = sum->count = 0;
    return 1;
}

static void sum_update(void *context, unsigned char *bytes, size_t count)
{
    struct sum *sum = context;
    for (size_t i = 0; i < count; i++) sum->total += bytes[i];
    sum->count += (unsigned int)count;
}

static int sum_finish(void *context, unsigned char *out)
{
    struct sum *sum = context;
    for (int i = 0; i < 4; i++) {
        out[i] = (unsigned char)(sum->total >> (24 - 8 * i));
        out[4 + i] = (unsigned char)(sum->count >> (24 - 8 * i));
    }
    return 1;
}

static const rb_digest_metadata_t sum = {
    RUBY_DIGEST_API_VERSION, 8, 64, sizeof(struct sum), sum_init, sum_update, sum_finish,
};

void Init_digests(void)
{
    VALUE base = rb_const_get(rb_digest_namespace(), rb_intern("Base"));
    VALUE class_ = rb_define_class_under(rb_digest_namespace(), "Sum", base);
    rb_ivar_set(class_, rb_id_metadata(), rb_digest_make_metadata(&sum));
}
