/* Control of files: POSIX; the numbers of Linux on x86. */
#ifndef _FCNTL_H
#define _FCNTL_H

#include <features.h>
#include <bits/types.h>
#include <sys/stat.h>

typedef __mode_t mode_t;
typedef __off_t off_t;
typedef __pid_t pid_t;

#define O_ACCMODE 0003
#define O_RDONLY 00
#define O_WRONLY 01
#define O_RDWR 02
#define O_CREAT 0100
#define O_EXCL 0200
#define O_NOCTTY 0400
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define O_NDELAY O_NONBLOCK
#define O_DSYNC 010000
#define O_ASYNC 020000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define O_SYNC 04010000
#define O_FSYNC O_SYNC
#define O_RSYNC O_SYNC
#ifdef __LP64__
#define O_LARGEFILE 0
#else
#define O_LARGEFILE 0100000
#endif
#ifdef __USE_GNU
#define O_DIRECT 040000
#define O_NOATIME 01000000
#define O_PATH 010000000
#define O_TMPFILE (020000000 | O_DIRECTORY)
#endif

#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#if defined __LP64__ || !defined __USE_FILE_OFFSET64
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#else
#define F_GETLK 12
#define F_SETLK 13
#define F_SETLKW 14
#endif
#define F_SETOWN 8
#define F_GETOWN 9
#define F_DUPFD_CLOEXEC 1030
#define FD_CLOEXEC 1
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2

#define FAPPEND O_APPEND
#define FNDELAY O_NDELAY
#define FNONBLOCK O_NONBLOCK

#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_EACCESS 0x200

#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5

#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif

struct flock {
    short l_type;
    short l_whence;
    __off_t l_start;
    __off_t l_len;
    __pid_t l_pid;
};

#ifdef __USE_LARGEFILE64
struct flock64 {
    short l_type;
    short l_whence;
    __off64_t l_start;
    __off64_t l_len;
    __pid_t l_pid;
};
typedef __off64_t off64_t;
extern int open64(const char *, int, ...);
extern int openat64(int, const char *, int, ...);
extern int creat64(const char *, mode_t);
extern int fcntl64(int, int, ...);
extern int lockf64(int, int, off64_t);
extern int posix_fadvise64(int, off64_t, off64_t, int);
extern int posix_fallocate64(int, off64_t, off64_t);
#endif

extern int open(const char *, int, ...);
extern int openat(int, const char *, int, ...);
extern int creat(const char *, mode_t);
extern int fcntl(int, int, ...);
extern int lockf(int, int, off_t);
extern int posix_fadvise(int, off_t, off_t, int);
extern int posix_fallocate(int, off_t, off_t);

#endif
