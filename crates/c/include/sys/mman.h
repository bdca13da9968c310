/* Mapping of memory: POSIX; the numbers of Linux. */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __mode_t mode_t;
typedef __off_t off_t;

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 0x10
#define MAP_ANONYMOUS 0x20
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FILE 0
#define MAP_GROWSDOWN 0x100
#define MAP_LOCKED 0x2000
#define MAP_NORESERVE 0x4000
#define MAP_POPULATE 0x8000
#define MAP_STACK 0x20000
#define MAP_HUGETLB 0x40000
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MCL_CURRENT 1
#define MCL_FUTURE 2
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_RANDOM 1
#define POSIX_MADV_SEQUENTIAL 2
#define POSIX_MADV_WILLNEED 3
#define POSIX_MADV_DONTNEED 4
#ifdef __USE_GNU
#define MREMAP_MAYMOVE 1
#define MREMAP_FIXED 2
extern void *mremap(void *, size_t, size_t, int, ...);
#endif

extern void *mmap(void *, size_t, int, int, int, off_t);
extern int munmap(void *, size_t);
extern int mprotect(void *, size_t, int);
extern int msync(void *, size_t, int);
extern int madvise(void *, size_t, int);
extern int posix_madvise(void *, size_t, int);
extern int mlock(const void *, size_t);
extern int munlock(const void *, size_t);
extern int mlockall(int);
extern int munlockall(void);
extern int mincore(void *, size_t, unsigned char *);
extern int shm_open(const char *, int, mode_t);
extern int shm_unlink(const char *);

#endif
