/* The system's locks. */
#ifndef RUBY_THREAD_NATIVE_H
#define RUBY_THREAD_NATIVE_H 1
#include "ruby/ruby.h"
#include <pthread.h>
typedef pthread_t rb_nativethread_id_t;
typedef pthread_mutex_t rb_nativethread_lock_t;
typedef pthread_cond_t rb_nativethread_cond_t;
#define rb_nativethread_self() pthread_self()
static inline void rb_native_mutex_initialize(rb_nativethread_lock_t *lock) { pthread_mutex_init(lock, 0); }
static inline void rb_native_mutex_destroy(rb_nativethread_lock_t *lock) { pthread_mutex_destroy(lock); }
static inline void rb_native_mutex_lock(rb_nativethread_lock_t *lock) { pthread_mutex_lock(lock); }
static inline void rb_native_mutex_unlock(rb_nativethread_lock_t *lock) { pthread_mutex_unlock(lock); }
static inline int rb_native_mutex_trylock(rb_nativethread_lock_t *lock) { return pthread_mutex_trylock(lock); }
static inline void rb_native_cond_initialize(rb_nativethread_cond_t *cond) { pthread_cond_init(cond, 0); }
static inline void rb_native_cond_destroy(rb_nativethread_cond_t *cond) { pthread_cond_destroy(cond); }
static inline void rb_native_cond_signal(rb_nativethread_cond_t *cond) { pthread_cond_signal(cond); }
static inline void rb_native_cond_broadcast(rb_nativethread_cond_t *cond) { pthread_cond_broadcast(cond); }
static inline void rb_native_cond_wait(rb_nativethread_cond_t *cond, rb_nativethread_lock_t *lock) { pthread_cond_wait(cond, lock); }
static inline void rb_native_cond_timedwait(rb_nativethread_cond_t *cond, rb_nativethread_lock_t *lock, unsigned long ms)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (time_t)(ms / 1000);
    until.tv_nsec += (long)(ms % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) { until.tv_sec++; until.tv_nsec -= 1000000000; }
    pthread_cond_timedwait(cond, lock, &until);
}
#define rb_nativethread_lock_initialize rb_native_mutex_initialize
#define rb_nativethread_lock_destroy rb_native_mutex_destroy
#define rb_nativethread_lock_lock rb_native_mutex_lock
#define rb_nativethread_lock_unlock rb_native_mutex_unlock
#endif
