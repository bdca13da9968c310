/* The types of POSIX under reserved names, for headers that define only some of them. */
#ifndef _BITS_TYPES_H
#define _BITS_TYPES_H

#include <features.h>

#ifdef __LP64__
typedef long __ssize_t;
typedef unsigned long __dev_t;
typedef unsigned long __nlink_t;
typedef long __off64_t;
typedef long __blkcnt64_t;
typedef unsigned long __ino64_t;
#else
typedef int __ssize_t;
typedef unsigned long long __dev_t;
typedef unsigned int __nlink_t;
typedef long long __off64_t;
typedef long long __blkcnt64_t;
typedef unsigned long long __ino64_t;
#endif

#ifdef __USE_FILE_OFFSET64
typedef __off64_t __off_t;
typedef __ino64_t __ino_t;
typedef __blkcnt64_t __blkcnt_t;
#else
typedef long __off_t;
typedef unsigned long __ino_t;
typedef long __blkcnt_t;
#endif

typedef long __blksize_t;
typedef long __clock_t;
typedef int __clockid_t;
typedef unsigned long __fsblkcnt_t;
typedef unsigned long __fsfilcnt_t;
typedef unsigned int __gid_t;
typedef unsigned int __id_t;
typedef int __key_t;
typedef unsigned int __mode_t;
typedef int __pid_t;
typedef unsigned int __socklen_t;
typedef long __suseconds_t;
typedef long __time_t;
typedef void *__timer_t;
typedef unsigned int __uid_t;
typedef unsigned int __useconds_t;

#endif
