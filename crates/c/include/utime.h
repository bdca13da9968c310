/* Times of files: POSIX. */
#ifndef _UTIME_H
#define _UTIME_H

#include <bits/types.h>

typedef __time_t time_t;

struct utimbuf {
    __time_t actime;
    __time_t modtime;
};

extern int utime(const char *, const struct utimbuf *);

#endif
