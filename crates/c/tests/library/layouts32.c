/* The layouts of Linux on a 32-bit x86, for which there may be no headers on the machine. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <termios.h>
#include <time.h>
#include <wchar.h>

#define SAME(a, b) _Static_assert(__builtin_types_compatible_p(__typeof__(a), b), #a)
#define SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)
#define AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #member)

SAME(size_t, unsigned int);
SAME(ssize_t, int);
SAME(ptrdiff_t, int);
SAME(wchar_t, long);
SAME(wint_t, unsigned int);
SAME(int64_t, long long);
SAME(uint64_t, unsigned long long);
SAME(intptr_t, int);
SAME(uintptr_t, unsigned int);
SAME(intmax_t, long long);
SAME(int_fast16_t, int);
SAME(int_fast32_t, int);
SAME(uint_fast32_t, unsigned int);
SAME(time_t, long);
SAME(off_t, long);
SAME(loff_t, long long);
SAME(ino_t, unsigned long);
SAME(dev_t, unsigned long long);
SAME(nlink_t, unsigned int);
SAME(blkcnt_t, long);
SAME(clock_t, long);
SAME(sizeof 0, unsigned int);
SAME(INT64_C(1), long long);
SAME(UINT64_MAX, unsigned long long);
SAME(SIZE_MAX, unsigned int);
SAME(PTRDIFF_MAX, int);
SAME(LONG_MAX, long);

_Static_assert(LONG_MAX == 2147483647L && LONG_MIN == -2147483647L - 1, "long");
_Static_assert(ULONG_MAX == 4294967295UL && SSIZE_MAX == 2147483647, "unsigned long");
_Static_assert(SIZE_MAX == 4294967295U && UINTPTR_MAX == 4294967295U, "size_t");
_Static_assert(INT_FAST16_MAX == 2147483647 && UINT_FAST32_MAX == 4294967295U, "fast");
_Static_assert(INT_FAST64_MAX == 9223372036854775807LL && INTMAX_MIN < -9223372036854775807LL, "64");
_Static_assert(sizeof PRId64 == 4 && sizeof PRIdPTR == 2 && sizeof PRIuFAST16 == 2, "formats");
_Static_assert(sizeof PRIxMAX == 4 && sizeof SCNd64 == 4 && sizeof SCNu8 == 4, "formats");
_Static_assert(O_LARGEFILE == 0100000 && RLIM_INFINITY == 4294967295UL, "numbers");

SIZE(div_t, 8);
SIZE(ldiv_t, 8);
SIZE(lldiv_t, 16);
SIZE(struct tm, 44);
SIZE(struct timeval, 8);
SIZE(struct timespec, 8);
SIZE(fpos_t, 12);
SIZE(jmp_buf, 156);
SIZE(sigset_t, 128);
SIZE(siginfo_t, 128);
SIZE(struct sigaction, 140);
SIZE(struct sigevent, 64);
SIZE(stack_t, 12);
SIZE(fd_set, 128);
SIZE(struct stat, 88);
AT(struct stat, st_ino, 12);
AT(struct stat, st_mode, 16);
AT(struct stat, st_rdev, 32);
AT(struct stat, st_size, 44);
AT(struct stat, st_blocks, 52);
AT(struct stat, st_mtim, 64);
SIZE(struct stat64, 96);
AT(struct stat64, st_ino, 88);
AT(struct stat64, st_mode, 16);
AT(struct stat64, st_rdev, 32);
AT(struct stat64, st_size, 44);
AT(struct stat64, st_blocks, 56);
AT(struct stat64, st_ctim, 80);
SIZE(struct dirent, 268);
SIZE(struct dirent64, 276);
SIZE(struct flock, 16);
SIZE(struct flock64, 24);
SIZE(mcontext_t, 88);
SIZE(ucontext_t, 364);
AT(ucontext_t, uc_sigmask, 108);
SIZE(posix_spawnattr_t, 336);
SIZE(posix_spawn_file_actions_t, 76);
SIZE(struct termios, 60);
SIZE(struct rusage, 72);
SIZE(pthread_t, 4);
SIZE(pthread_attr_t, 36);
SIZE(pthread_mutex_t, 24);
SIZE(pthread_cond_t, 48);
SIZE(pthread_rwlock_t, 32);
SIZE(pthread_barrier_t, 20);
SIZE(sem_t, 16);
SIZE(max_align_t, 48);
