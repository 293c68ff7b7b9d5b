/* st: hash tables of C code. Entries lie in the order in which they came; bins of indexes find them by hash. A deleted entry
   stays, marked, until the table is rebuilt. */
#include "ruby/st.h"

struct st_table_entry { st_index_t hash; st_data_t key, record; bool is_live; };

enum { FREE_BIN = 0, LEAST = 8 };

static void out_of_memory(void) { abort(); }

static void *get(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p) out_of_memory();
    return p;
}

static st_index_t bins_of(const st_table *t) { return t->capacity * 2; }

static void put_bin(st_table *t, st_index_t hash, uint32_t index)
{
    st_index_t mask = bins_of(t) - 1, at = hash & mask;
    while (t->bins[at] != FREE_BIN) at = (at + 1) & mask;
    t->bins[at] = index + 1;
}

static void rebuild(st_table *t, st_index_t capacity)
{
    st_table_entry *old = t->entries;
    st_index_t used = t->used;
    t->entries = (st_table_entry *)get(capacity, sizeof *t->entries);
    free(t->bins);
    t->capacity = capacity;
    t->bins = (uint32_t *)get(capacity * 2, sizeof *t->bins);
    t->used = 0;
    t->rebuilds++;
    for (st_index_t i = 0; i < used; i++) {
        if (!old[i].is_live) continue;
        t->entries[t->used] = old[i];
        put_bin(t, old[i].hash, (uint32_t)t->used++);
    }
    free(old);
}

static st_index_t hash_of(const st_table *t, st_data_t key) { return t->type->hash(key); }

static st_table_entry *find(st_table *t, st_data_t key, st_index_t hash)
{
    if (!t->num_entries) return 0;
    st_index_t mask = bins_of(t) - 1, rebuilds;
  again:
    mask = bins_of(t) - 1;
    rebuilds = t->rebuilds;
    for (st_index_t at = hash & mask; t->bins[at] != FREE_BIN; at = (at + 1) & mask) {
        st_table_entry *e = &t->entries[t->bins[at] - 1];
        if (!e->is_live || e->hash != hash) continue;
        if (e->key == key) return e;
        int differs = t->type->compare(key, e->key);
        if (t->rebuilds != rebuilds) goto again;
        if (!differs) return e;
    }
    return 0;
}

static void append(st_table *t, st_data_t key, st_data_t value, st_index_t hash)
{
    if (t->used == t->capacity) rebuild(t, t->num_entries * 2 > t->capacity ? t->capacity * 2 : t->capacity);
    t->entries[t->used] = (st_table_entry){hash, key, value, true};
    put_bin(t, hash, (uint32_t)t->used++);
    t->num_entries++;
}

static void drop(st_table *t, st_table_entry *e)
{
    e->is_live = false;
    t->num_entries--;
}

st_table *st_init_table_with_size(const struct st_hash_type *type, st_index_t size)
{
    st_table *t = (st_table *)get(1, sizeof *t);
    st_index_t capacity = LEAST;
    while (capacity < size) capacity *= 2;
    t->type = type;
    rebuild(t, capacity);
    return t;
}

st_table *st_init_table(const struct st_hash_type *type) { return st_init_table_with_size(type, 0); }

int st_numcmp(st_data_t a, st_data_t b) { return a != b; }

static st_index_t mix(st_index_t h)
{
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdUL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53UL;
    return h ^ h >> 33;
}

st_index_t st_numhash(st_data_t n) { return mix(n); }

st_index_t st_hash(const void *p, size_t length, st_index_t seed)
{
    st_index_t h = seed ^ 0xcbf29ce484222325UL;
    for (size_t i = 0; i < length; i++) h = (h ^ ((const unsigned char *)p)[i]) * 0x100000001b3UL;
    return mix(h);
}

st_index_t st_hash_uint32(st_index_t h, uint32_t i) { return mix(h + i); }
st_index_t st_hash_uint(st_index_t h, st_index_t i) { return mix(h + i); }
st_index_t st_hash_end(st_index_t h) { return mix(h); }
st_index_t st_hash_start(st_index_t h) { return h; }
st_index_t (rb_hash_start)(st_index_t h) { return mix(h + 0x9e3779b97f4a7c15UL); }
st_index_t (rb_hash_uint32)(st_index_t h, uint32_t i) { return mix(h + i); }
st_index_t (rb_hash_uint)(st_index_t h, st_index_t i) { return mix(h + i); }
st_index_t (rb_hash_end)(st_index_t h) { return mix(h); }

static int text_compare(st_data_t a, st_data_t b) { return strcmp((const char *)a, (const char *)b); }
static st_index_t text_hash(st_data_t s) { return st_hash((const void *)s, strlen((const char *)s), 0); }

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int st_locale_insensitive_strncasecmp(const char *a, const char *b, size_t n)
{
    for (; n; n--, a++, b++) {
        int x = lower((unsigned char)*a), y = lower((unsigned char)*b);
        if (x != y) return x < y ? -1 : 1;
        if (!x) break;
    }
    return 0;
}

int st_locale_insensitive_strcasecmp(const char *a, const char *b) { return st_locale_insensitive_strncasecmp(a, b, SIZE_MAX); }

static int case_compare(st_data_t a, st_data_t b) { return st_locale_insensitive_strcasecmp((const char *)a, (const char *)b); }

static st_index_t case_hash(st_data_t s)
{
    st_index_t h = 0xcbf29ce484222325UL;
    for (const char *p = (const char *)s; *p; p++) h = (h ^ (st_index_t)lower((unsigned char)*p)) * 0x100000001b3UL;
    return mix(h);
}

static const struct st_hash_type numbers = {st_numcmp, st_numhash};
static const struct st_hash_type texts = {text_compare, text_hash};
static const struct st_hash_type case_texts = {case_compare, case_hash};

st_table *st_init_numtable(void) { return st_init_table(&numbers); }
st_table *st_init_numtable_with_size(st_index_t n) { return st_init_table_with_size(&numbers, n); }
st_table *st_init_strtable(void) { return st_init_table(&texts); }
st_table *st_init_strtable_with_size(st_index_t n) { return st_init_table_with_size(&texts, n); }
st_table *st_init_strcasetable(void) { return st_init_table(&case_texts); }
st_table *st_init_strcasetable_with_size(st_index_t n) { return st_init_table_with_size(&case_texts, n); }

void st_free_table(st_table *t)
{
    free(t->entries);
    free(t->bins);
    free(t);
}

void st_clear(st_table *t)
{
    t->num_entries = t->used = 0;
    t->rebuilds++;
    memset(t->bins, 0, bins_of(t) * sizeof *t->bins);
}

st_table *st_copy(st_table *from)
{
    st_table *t = (st_table *)get(1, sizeof *t);
    *t = *from;
    t->entries = (st_table_entry *)get(t->capacity, sizeof *t->entries);
    memcpy(t->entries, from->entries, from->used * sizeof *t->entries);
    t->bins = (uint32_t *)get(bins_of(t), sizeof *t->bins);
    memcpy(t->bins, from->bins, bins_of(t) * sizeof *t->bins);
    return t;
}

int st_lookup(st_table *t, st_data_t key, st_data_t *value)
{
    st_table_entry *e = find(t, key, hash_of(t, key));
    if (e && value) *value = e->record;
    return e != 0;
}

int st_get_key(st_table *t, st_data_t key, st_data_t *found)
{
    st_table_entry *e = find(t, key, hash_of(t, key));
    if (e && found) *found = e->key;
    return e != 0;
}

int st_insert2(st_table *t, st_data_t key, st_data_t value, st_data_t (*make)(st_data_t))
{
    st_index_t hash = hash_of(t, key);
    st_table_entry *e = find(t, key, hash);
    if (e) {
        e->record = value;
        return 1;
    }
    append(t, make ? make(key) : key, value, hash);
    return 0;
}

int st_insert(st_table *t, st_data_t key, st_data_t value) { return st_insert2(t, key, value, 0); }
void st_add_direct(st_table *t, st_data_t key, st_data_t value) { append(t, key, value, hash_of(t, key)); }

int st_delete(st_table *t, st_data_t *key, st_data_t *value)
{
    st_table_entry *e = find(t, *key, hash_of(t, *key));
    if (!e) {
        if (value) *value = 0;
        return 0;
    }
    *key = e->key;
    if (value) *value = e->record;
    drop(t, e);
    return 1;
}

int st_shift(st_table *t, st_data_t *key, st_data_t *value)
{
    for (st_index_t i = 0; i < t->used; i++) {
        if (!t->entries[i].is_live) continue;
        *key = t->entries[i].key;
        if (value) *value = t->entries[i].record;
        drop(t, &t->entries[i]);
        return 1;
    }
    if (value) *value = 0;
    return 0;
}

int st_update(st_table *t, st_data_t key, st_update_callback_func *f, st_data_t data)
{
    st_index_t hash = hash_of(t, key);
    st_table_entry *e = find(t, key, hash);
    int existed = e != 0;
    st_data_t k = e ? e->key : key, v = e ? e->record : 0;
    switch (f(&k, &v, data, existed)) {
      case ST_CONTINUE:
        e = existed ? find(t, key, hash) : 0;
        if (e) {
            e->key = k;
            e->record = v;
        } else append(t, k, v, hash);
        break;
      case ST_DELETE:
        if (existed && (e = find(t, key, hash))) drop(t, e);
        break;
      default: break;
    }
    return existed;
}

/* Entries that are added meanwhile are visited too; a rebuild leaves live ones in order, so the key says where to go on. */
static int each(st_table *t, int (*visit)(st_table *, st_table_entry *, void *), void *data)
{
    st_index_t i = 0, seen = 0;
    while (i < t->used) {
        if (!t->entries[i].is_live) {
            i++;
            continue;
        }
        st_index_t rebuilds = t->rebuilds;
        st_data_t key = t->entries[i].key;
        st_index_t hash = t->entries[i].hash;
        int result = visit(t, &t->entries[i], data);
        st_table_entry *e = t->rebuilds == rebuilds ? &t->entries[i] : find(t, key, hash);
        i = e ? (st_index_t)(e - t->entries) : seen;
        if (result == ST_DELETE && e && e->is_live) drop(t, e);
        if (result == ST_STOP) return 0;
        if (e) i++;
        seen = i;
    }
    return 0;
}

struct plain { st_foreach_callback_func *f; st_data_t data; };

static int visit_plain(st_table *t, st_table_entry *e, void *data)
{
    struct plain *p = (struct plain *)data;
    (void)t;
    return p->f(e->key, e->record, p->data);
}

int st_foreach(st_table *t, st_foreach_callback_func *f, st_data_t data)
{
    struct plain p = {f, data};
    return each(t, visit_plain, &p);
}

void st_foreach_safe(st_table *t, st_foreach_callback_func *f, st_data_t data) { st_foreach(t, f, data); }

struct checked { st_foreach_check_callback_func *f; st_update_callback_func *replace; st_data_t data; };

static int visit_checked(st_table *t, st_table_entry *e, void *data)
{
    struct checked *c = (struct checked *)data;
    (void)t;
    int result = c->f(e->key, e->record, c->data, 0);
    if (result == ST_REPLACE && c->replace) {
        st_data_t k = e->key, v = e->record;
        result = c->replace(&k, &v, c->data, 1);
        e->key = k;
        e->record = v;
    }
    return result;
}

int st_foreach_check(st_table *t, st_foreach_check_callback_func *f, st_data_t data, st_data_t never)
{
    struct checked c = {f, 0, data};
    (void)never;
    return each(t, visit_checked, &c);
}

int st_foreach_with_replace(st_table *t, st_foreach_check_callback_func *f, st_update_callback_func *replace, st_data_t data)
{
    struct checked c = {f, replace, data};
    return each(t, visit_checked, &c);
}

st_index_t st_keys(st_table *t, st_data_t *keys, st_index_t size)
{
    st_index_t n = 0;
    for (st_index_t i = 0; i < t->used && n < size; i++) if (t->entries[i].is_live) keys[n++] = t->entries[i].key;
    return n;
}

st_index_t st_values(st_table *t, st_data_t *values, st_index_t size)
{
    st_index_t n = 0;
    for (st_index_t i = 0; i < t->used && n < size; i++) if (t->entries[i].is_live) values[n++] = t->entries[i].record;
    return n;
}

void st_cleanup_safe(st_table *t, st_data_t never) { (void)t; (void)never; }
size_t st_memsize(const st_table *t) { return sizeof *t + t->capacity * sizeof *t->entries + bins_of(t) * sizeof *t->bins; }
size_t st_table_size(const st_table *t) { return t->num_entries; }
