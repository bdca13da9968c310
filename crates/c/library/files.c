/* Files: <stdio.h>, <fcntl.h>, <sys/stat.h>, <unistd.h>, <dirent.h>. The file system is empty and
   cannot be written to: what is to be read is not there, what is to be made is refused. */
#define _LARGEFILE64_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "stream.h"

static int __loupe_refuse(int error)
{
    __loupe_errno = error;
    return -1;
}

/* Fails for a path that is to be there. */
static int __loupe_missing(const char *path)
{
    __loupe_length(path);
    return __loupe_refuse(ENOENT);
}

/* Fails for a path that is to be made. */
static int __loupe_read_only(const char *path)
{
    return __loupe_refuse(__loupe_length(path) == 0 ? ENOENT : EROFS);
}

static FILE *__loupe_open_nothing(const char *path, const char *mode)
{
    if (*mode == 'r')
        __loupe_missing(path);
    else if (*mode == 'w' || *mode == 'a')
        __loupe_read_only(path);
    else
        __loupe_refuse(EINVAL);
    return 0;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    return __loupe_open_nothing(path, mode);
}

FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    return __loupe_open_nothing(path, mode);
}

static FILE *__loupe_open_again(const char *path, const char *mode, FILE *stream)
{
    if (!path || stream->is_closed)
        __loupe_unsupported();
    stream->is_closed = 1;
    return __loupe_open_nothing(path, mode);
}

FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return __loupe_open_again(path, mode, stream);
}

FILE *freopen64(const char *restrict path, const char *restrict mode, FILE *restrict stream)
{
    return __loupe_open_again(path, mode, stream);
}

FILE *tmpfile(void)
{
    __loupe_refuse(EROFS);
    return 0;
}

FILE *tmpfile64(void)
{
    __loupe_refuse(EROFS);
    return 0;
}

int remove(const char *path)
{
    return __loupe_missing(path);
}

int unlink(const char *path)
{
    return __loupe_missing(path);
}

int rmdir(const char *path)
{
    return __loupe_missing(path);
}

int rename(const char *from, const char *to)
{
    __loupe_length(to);
    return __loupe_missing(from);
}

int open(const char *path, int flags, ...)
{
    return flags & O_CREAT ? __loupe_read_only(path) : __loupe_missing(path);
}

int open64(const char *path, int flags, ...)
{
    return flags & O_CREAT ? __loupe_read_only(path) : __loupe_missing(path);
}

int creat(const char *path, mode_t mode)
{
    (void)mode;
    return __loupe_read_only(path);
}

int creat64(const char *path, mode_t mode)
{
    (void)mode;
    return __loupe_read_only(path);
}

int access(const char *path, int mode)
{
    (void)mode;
    return __loupe_missing(path);
}

int stat(const char *restrict path, struct stat *restrict result)
{
    (void)result;
    return __loupe_missing(path);
}

int stat64(const char *restrict path, struct stat64 *restrict result)
{
    (void)result;
    return __loupe_missing(path);
}

int lstat(const char *restrict path, struct stat *restrict result)
{
    (void)result;
    return __loupe_missing(path);
}

int lstat64(const char *restrict path, struct stat64 *restrict result)
{
    (void)result;
    return __loupe_missing(path);
}

int mkdir(const char *path, mode_t mode)
{
    (void)mode;
    return __loupe_read_only(path);
}

int chmod(const char *path, mode_t mode)
{
    (void)mode;
    return __loupe_missing(path);
}

int truncate(const char *path, off_t length)
{
    (void)length;
    return __loupe_missing(path);
}

int truncate64(const char *path, off64_t length)
{
    (void)length;
    return __loupe_missing(path);
}

int mkstemp(char *pattern)
{
    __loupe_length(pattern);
    return __loupe_refuse(EROFS);
}

int mkstemp64(char *pattern)
{
    __loupe_length(pattern);
    return __loupe_refuse(EROFS);
}

DIR *opendir(const char *path)
{
    __loupe_missing(path);
    return 0;
}
