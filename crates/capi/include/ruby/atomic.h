/* Atomic words. */
#ifndef RUBY_ATOMIC_H
#define RUBY_ATOMIC_H 1
#include "ruby/ruby.h"
typedef unsigned int rb_atomic_t;
#define RUBY_ATOMIC_SET(var, v) __atomic_store_n(&(var), (v), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_LOAD(var) __atomic_load_n(&(var), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_FETCH_ADD(var, v) __atomic_fetch_add(&(var), (v), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_FETCH_SUB(var, v) __atomic_fetch_sub(&(var), (v), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_ADD(var, v) ((void)RUBY_ATOMIC_FETCH_ADD(var, v))
#define RUBY_ATOMIC_SUB(var, v) ((void)RUBY_ATOMIC_FETCH_SUB(var, v))
#define RUBY_ATOMIC_INC(var) RUBY_ATOMIC_ADD(var, 1)
#define RUBY_ATOMIC_DEC(var) RUBY_ATOMIC_SUB(var, 1)
#define RUBY_ATOMIC_OR(var, v) ((void)__atomic_fetch_or(&(var), (v), __ATOMIC_SEQ_CST))
#define RUBY_ATOMIC_EXCHANGE(var, v) __atomic_exchange_n(&(var), (v), __ATOMIC_SEQ_CST)
#define RUBY_ATOMIC_CAS(var, old, v) __sync_val_compare_and_swap(&(var), (old), (v))
#define RUBY_ATOMIC_SIZE_FETCH_ADD RUBY_ATOMIC_FETCH_ADD
#define RUBY_ATOMIC_SIZE_ADD RUBY_ATOMIC_ADD
#define RUBY_ATOMIC_SIZE_SUB RUBY_ATOMIC_SUB
#define RUBY_ATOMIC_SIZE_INC RUBY_ATOMIC_INC
#define RUBY_ATOMIC_SIZE_DEC RUBY_ATOMIC_DEC
#define RUBY_ATOMIC_SIZE_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_SIZE_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_PTR_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_PTR_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_PTR_LOAD RUBY_ATOMIC_LOAD
#define RUBY_ATOMIC_PTR_SET RUBY_ATOMIC_SET
#define RUBY_ATOMIC_VALUE_EXCHANGE RUBY_ATOMIC_EXCHANGE
#define RUBY_ATOMIC_VALUE_CAS RUBY_ATOMIC_CAS
#define RUBY_ATOMIC_VALUE_SET RUBY_ATOMIC_SET
#endif
