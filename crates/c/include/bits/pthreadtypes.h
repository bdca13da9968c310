/* Types of threads: opaque, with the sizes of glibc. */
#ifndef _BITS_PTHREADTYPES_H
#define _BITS_PTHREADTYPES_H

typedef unsigned long pthread_t;
typedef unsigned int pthread_key_t;
typedef int pthread_once_t;

#ifdef __LP64__
#define __SIZEOF_PTHREAD_ATTR_T 56
#define __SIZEOF_PTHREAD_MUTEX_T 40
#define __SIZEOF_PTHREAD_RWLOCK_T 56
#define __SIZEOF_PTHREAD_BARRIER_T 32
#else
#define __SIZEOF_PTHREAD_ATTR_T 36
#define __SIZEOF_PTHREAD_MUTEX_T 24
#define __SIZEOF_PTHREAD_RWLOCK_T 32
#define __SIZEOF_PTHREAD_BARRIER_T 20
#endif

union pthread_attr_t {
    char __size[__SIZEOF_PTHREAD_ATTR_T];
    long __align;
};
typedef union pthread_attr_t pthread_attr_t;

typedef union {
    char __size[__SIZEOF_PTHREAD_MUTEX_T];
    long __align;
} pthread_mutex_t;

typedef union {
    char __size[48];
    long long __align;
} pthread_cond_t;

typedef union {
    char __size[__SIZEOF_PTHREAD_RWLOCK_T];
    long __align;
} pthread_rwlock_t;

typedef union {
    char __size[__SIZEOF_PTHREAD_BARRIER_T];
    long __align;
} pthread_barrier_t;

typedef volatile int pthread_spinlock_t;

typedef union {
    char __size[4];
    int __align;
} pthread_mutexattr_t;

typedef union {
    char __size[4];
    int __align;
} pthread_condattr_t;

typedef union {
    char __size[8];
    long __align;
} pthread_rwlockattr_t;

typedef union {
    char __size[4];
    int __align;
} pthread_barrierattr_t;

#endif
