/* Waiting for descriptors: POSIX. */
#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H

#include <bits/sigset_t.h>
#include <bits/timespec.h>
#include <bits/timeval.h>
#include <bits/types.h>

typedef __suseconds_t suseconds_t;
typedef __time_t time_t;
typedef long __fd_mask;
typedef __fd_mask fd_mask;

#define FD_SETSIZE 1024
#define NFDBITS (8 * (int)sizeof(__fd_mask))
#define __NFDBITS NFDBITS

typedef struct {
    __fd_mask __fds_bits[FD_SETSIZE / (8 * sizeof(__fd_mask))];
} fd_set;

#define __FD_WORD(fd, set) ((set)->__fds_bits[(fd) / NFDBITS])
#define __FD_BIT(fd) ((__fd_mask)(1UL << ((fd) % NFDBITS)))
#define FD_SET(fd, set) ((void)(__FD_WORD(fd, set) |= __FD_BIT(fd)))
#define FD_CLR(fd, set) ((void)(__FD_WORD(fd, set) &= ~__FD_BIT(fd)))
#define FD_ISSET(fd, set) ((__FD_WORD(fd, set) & __FD_BIT(fd)) != 0)
#define FD_ZERO(set) \
    do { \
        unsigned __word; \
        fd_set *__set = (set); \
        for (__word = 0; __word < sizeof(fd_set) / sizeof(__fd_mask); __word++) \
            __set->__fds_bits[__word] = 0; \
    } while (0)

extern int select(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict,
                  struct timeval *__restrict);
extern int pselect(int, fd_set *__restrict, fd_set *__restrict, fd_set *__restrict,
                   const struct timespec *__restrict, const sigset_t *__restrict);

#endif
