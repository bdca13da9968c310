/* Threads: POSIX. Declarations only: Loupe runs one thread. */
#ifndef _PTHREAD_H
#define _PTHREAD_H

#include <features.h>
#include <bits/pthreadtypes.h>
#include <bits/types.h>
#include <sched.h>
#include <time.h>

typedef __SIZE_TYPE__ size_t;

#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
enum {
    PTHREAD_MUTEX_NORMAL,
    PTHREAD_MUTEX_RECURSIVE,
    PTHREAD_MUTEX_ERRORCHECK,
    PTHREAD_MUTEX_DEFAULT = PTHREAD_MUTEX_NORMAL
};
enum { PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST };
enum { PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT };
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#ifndef PTHREAD_STACK_MIN
#define PTHREAD_STACK_MIN 16384
#endif

#define PTHREAD_MUTEX_INITIALIZER {{0}}
#define PTHREAD_COND_INITIALIZER {{0}}
#define PTHREAD_RWLOCK_INITIALIZER {{0}}
#ifdef __USE_GNU
#ifdef __LP64__
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{[16] = PTHREAD_MUTEX_RECURSIVE}}
#else
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP {{[12] = PTHREAD_MUTEX_RECURSIVE}}
#endif
#endif

extern int pthread_create(pthread_t *__restrict, const pthread_attr_t *__restrict,
                          void *(*)(void *), void *__restrict);
extern void pthread_exit(void *) __attribute__((__noreturn__));
extern int pthread_join(pthread_t, void **);
extern int pthread_detach(pthread_t);
extern pthread_t pthread_self(void);
extern int pthread_equal(pthread_t, pthread_t);
extern int pthread_cancel(pthread_t);
extern int pthread_setcancelstate(int, int *);
extern int pthread_setcanceltype(int, int *);
extern void pthread_testcancel(void);
extern int pthread_once(pthread_once_t *, void (*)(void));
extern int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
extern int pthread_getschedparam(pthread_t, int *__restrict, struct sched_param *__restrict);
extern int pthread_setschedparam(pthread_t, int, const struct sched_param *);
extern int pthread_getcpuclockid(pthread_t, clockid_t *);

extern int pthread_attr_init(pthread_attr_t *);
extern int pthread_attr_destroy(pthread_attr_t *);
extern int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
extern int pthread_attr_setdetachstate(pthread_attr_t *, int);
extern int pthread_attr_getguardsize(const pthread_attr_t *__restrict, size_t *__restrict);
extern int pthread_attr_setguardsize(pthread_attr_t *, size_t);
extern int pthread_attr_getstacksize(const pthread_attr_t *__restrict, size_t *__restrict);
extern int pthread_attr_setstacksize(pthread_attr_t *, size_t);
extern int pthread_attr_setscope(pthread_attr_t *, int);
extern int pthread_attr_setinheritsched(pthread_attr_t *, int);
extern int pthread_attr_setschedpolicy(pthread_attr_t *, int);
extern int pthread_attr_setschedparam(pthread_attr_t *__restrict,
                                      const struct sched_param *__restrict);

extern int pthread_mutex_init(pthread_mutex_t *__restrict, const pthread_mutexattr_t *__restrict);
extern int pthread_mutex_destroy(pthread_mutex_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_trylock(pthread_mutex_t *);
extern int pthread_mutex_timedlock(pthread_mutex_t *__restrict, const struct timespec *__restrict);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern int pthread_mutexattr_init(pthread_mutexattr_t *);
extern int pthread_mutexattr_destroy(pthread_mutexattr_t *);
extern int pthread_mutexattr_gettype(const pthread_mutexattr_t *__restrict, int *__restrict);
extern int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
extern int pthread_mutexattr_setpshared(pthread_mutexattr_t *, int);
extern int pthread_mutexattr_setprotocol(pthread_mutexattr_t *, int);

extern int pthread_cond_init(pthread_cond_t *__restrict, const pthread_condattr_t *__restrict);
extern int pthread_cond_destroy(pthread_cond_t *);
extern int pthread_cond_signal(pthread_cond_t *);
extern int pthread_cond_broadcast(pthread_cond_t *);
extern int pthread_cond_wait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict);
extern int pthread_cond_timedwait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict,
                                  const struct timespec *__restrict);
extern int pthread_condattr_init(pthread_condattr_t *);
extern int pthread_condattr_destroy(pthread_condattr_t *);
extern int pthread_condattr_setclock(pthread_condattr_t *, clockid_t);
extern int pthread_condattr_setpshared(pthread_condattr_t *, int);

extern int pthread_rwlock_init(pthread_rwlock_t *__restrict,
                               const pthread_rwlockattr_t *__restrict);
extern int pthread_rwlock_destroy(pthread_rwlock_t *);
extern int pthread_rwlock_rdlock(pthread_rwlock_t *);
extern int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
extern int pthread_rwlock_wrlock(pthread_rwlock_t *);
extern int pthread_rwlock_trywrlock(pthread_rwlock_t *);
extern int pthread_rwlock_unlock(pthread_rwlock_t *);

extern int pthread_spin_init(pthread_spinlock_t *, int);
extern int pthread_spin_destroy(pthread_spinlock_t *);
extern int pthread_spin_lock(pthread_spinlock_t *);
extern int pthread_spin_trylock(pthread_spinlock_t *);
extern int pthread_spin_unlock(pthread_spinlock_t *);

extern int pthread_barrier_init(pthread_barrier_t *__restrict,
                                const pthread_barrierattr_t *__restrict, unsigned int);
extern int pthread_barrier_destroy(pthread_barrier_t *);
extern int pthread_barrier_wait(pthread_barrier_t *);

extern int pthread_key_create(pthread_key_t *, void (*)(void *));
extern int pthread_key_delete(pthread_key_t);
extern void *pthread_getspecific(pthread_key_t);
extern int pthread_setspecific(pthread_key_t, const void *);

struct __pthread_cleanup {
    void (*__routine)(void *);
    void *__argument;
};
extern void __pthread_cleanup_push(struct __pthread_cleanup *, void (*)(void *), void *);
extern void __pthread_cleanup_pop(struct __pthread_cleanup *, int);
#define pthread_cleanup_push(routine, argument) \
    do { \
        struct __pthread_cleanup __cleanup; \
        __pthread_cleanup_push(&__cleanup, (routine), (argument))
#define pthread_cleanup_pop(execute) \
        __pthread_cleanup_pop(&__cleanup, (execute)); \
    } while (0)

#ifdef __USE_GNU
extern int pthread_setname_np(pthread_t, const char *);
extern int pthread_getname_np(pthread_t, char *, size_t);
extern int pthread_yield(void);
#endif

#endif
