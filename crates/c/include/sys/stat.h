/* What is known about a file: POSIX; layout and numbers of Linux on x86. */
#ifndef _SYS_STAT_H
#define _SYS_STAT_H

#include <features.h>
#include <bits/timespec.h>
#include <bits/types.h>

typedef __blkcnt_t blkcnt_t;
typedef __blksize_t blksize_t;
typedef __dev_t dev_t;
typedef __gid_t gid_t;
typedef __ino_t ino_t;
typedef __mode_t mode_t;
typedef __nlink_t nlink_t;
typedef __off_t off_t;
typedef __time_t time_t;
typedef __uid_t uid_t;

#ifdef __LP64__
struct stat {
    __dev_t st_dev;
    __ino_t st_ino;
    __nlink_t st_nlink;
    __mode_t st_mode;
    __uid_t st_uid;
    __gid_t st_gid;
    int __pad0;
    __dev_t st_rdev;
    __off_t st_size;
    __blksize_t st_blksize;
    __blkcnt_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
    long __reserved[3];
};
#else
struct stat {
    __dev_t st_dev;
    unsigned short __pad1;
#ifdef __USE_FILE_OFFSET64
    unsigned long __st_ino;
#else
    __ino_t st_ino;
#endif
    __mode_t st_mode;
    __nlink_t st_nlink;
    __uid_t st_uid;
    __gid_t st_gid;
    __dev_t st_rdev;
    unsigned short __pad2;
    __off_t st_size;
    __blksize_t st_blksize;
    __blkcnt_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
#ifdef __USE_FILE_OFFSET64
    __ino_t st_ino;
#else
    unsigned long __reserved[2];
#endif
};
#endif

#ifdef __USE_LARGEFILE64
struct stat64 {
    __dev_t st_dev;
#ifdef __LP64__
    __ino64_t st_ino;
    __nlink_t st_nlink;
    __mode_t st_mode;
    __uid_t st_uid;
    __gid_t st_gid;
    int __pad0;
    __dev_t st_rdev;
#else
    unsigned int __pad1;
    unsigned long __st_ino;
    __mode_t st_mode;
    __nlink_t st_nlink;
    __uid_t st_uid;
    __gid_t st_gid;
    __dev_t st_rdev;
    unsigned int __pad2;
#endif
    __off64_t st_size;
    __blksize_t st_blksize;
    __blkcnt64_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
#ifdef __LP64__
    long __reserved[3];
#else
    __ino64_t st_ino;
#endif
};
#endif

#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFCHR 0020000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRWXU 0700
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXG 0070
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXO 0007
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IREAD S_IRUSR
#define S_IWRITE S_IWUSR
#define S_IEXEC S_IXUSR
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666
#define S_BLKSIZE 512

#define S_ISBLK(mode) (((mode)&S_IFMT) == S_IFBLK)
#define S_ISCHR(mode) (((mode)&S_IFMT) == S_IFCHR)
#define S_ISDIR(mode) (((mode)&S_IFMT) == S_IFDIR)
#define S_ISFIFO(mode) (((mode)&S_IFMT) == S_IFIFO)
#define S_ISREG(mode) (((mode)&S_IFMT) == S_IFREG)
#define S_ISLNK(mode) (((mode)&S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode)&S_IFMT) == S_IFSOCK)

#define UTIME_NOW ((1L << 30) - 1L)
#define UTIME_OMIT ((1L << 30) - 2L)

extern int stat(const char *__restrict, struct stat *__restrict);
extern int fstat(int, struct stat *);
extern int lstat(const char *__restrict, struct stat *__restrict);
extern int fstatat(int, const char *__restrict, struct stat *__restrict, int);
extern int chmod(const char *, mode_t);
extern int lchmod(const char *, mode_t);
extern int fchmod(int, mode_t);
extern int fchmodat(int, const char *, mode_t, int);
extern mode_t umask(mode_t);
extern int mkdir(const char *, mode_t);
extern int mkdirat(int, const char *, mode_t);
extern int mkfifo(const char *, mode_t);
extern int mkfifoat(int, const char *, mode_t);
extern int mknod(const char *, mode_t, dev_t);
extern int mknodat(int, const char *, mode_t, dev_t);
extern int utimensat(int, const char *, const struct timespec[2], int);
extern int futimens(int, const struct timespec[2]);

#ifdef __USE_LARGEFILE64
extern int stat64(const char *__restrict, struct stat64 *__restrict);
extern int fstat64(int, struct stat64 *);
extern int lstat64(const char *__restrict, struct stat64 *__restrict);
extern int fstatat64(int, const char *__restrict, struct stat64 *__restrict, int);
#endif

#endif
