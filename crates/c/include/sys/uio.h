/* Scattered input and output: POSIX. */
#ifndef _SYS_UIO_H
#define _SYS_UIO_H

#include <bits/iovec.h>
#include <sys/types.h>

#define UIO_MAXIOV 1024

extern ssize_t readv(int, const struct iovec *, int);
extern ssize_t writev(int, const struct iovec *, int);

#endif
