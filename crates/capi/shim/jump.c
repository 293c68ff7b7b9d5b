/* Calls into C, and jumps out of it. A jump crosses frames of C code and the exported function that makes it, nothing else. */
#include <stddef.h>
#include <stdint.h>

struct jump {
    struct jump *outer;
    void *state[5];
};

typedef uint64_t word;

static word call(const void *function, size_t count, const word *w)
{
    switch (count) {
      case 0: return ((word (*)(void))function)();
      case 1: return ((word (*)(word))function)(w[0]);
      case 2: return ((word (*)(word, word))function)(w[0], w[1]);
      case 3: return ((word (*)(word, word, word))function)(w[0], w[1], w[2]);
      case 4: return ((word (*)(word, word, word, word))function)(w[0], w[1], w[2], w[3]);
      case 5: return ((word (*)(word, word, word, word, word))function)(w[0], w[1], w[2], w[3], w[4]);
      case 6: return ((word (*)(word, word, word, word, word, word))function)(w[0], w[1], w[2], w[3], w[4], w[5]);
      case 7: return ((word (*)(word, word, word, word, word, word, word))function)(w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
      case 8: return ((word (*)(word, word, word, word, word, word, word, word))function)
          (w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
      default: {
        /* What a function does not take is passed for nothing: the caller removes it. */
        word a[17] = {0};
        for (size_t i = 0; i < count && i < 17; i++) a[i] = w[i];
        return ((word (*)(word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word, word))function)
            (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15], a[16]);
      }
    }
}

__attribute__((noinline)) int carat_enter(struct jump **jumps, const void *function, size_t count, const word *words, word *result)
{
    struct jump here;
    here.outer = *jumps;
    if (__builtin_setjmp(here.state)) {
        *jumps = here.outer;
        return 1;
    }
    *jumps = &here;
    *result = call(function, count, words);
    *jumps = here.outer;
    return 0;
}

/* The same for a function of one word. */
__attribute__((noinline)) int carat_enter_one(struct jump **jumps, const void *function, word given, word *result)
{
    struct jump here;
    here.outer = *jumps;
    if (__builtin_setjmp(here.state)) {
        *jumps = here.outer;
        return 1;
    }
    *jumps = &here;
    *result = ((word (*)(word))function)(given);
    *jumps = here.outer;
    return 0;
}

__attribute__((noinline, noreturn)) void carat_jump(struct jump *jumps)
{
    if (!jumps) __builtin_trap();
    __builtin_longjmp(jumps->state, 1);
}
