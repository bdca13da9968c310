/* Times of processes: POSIX. */
#ifndef _SYS_TIMES_H
#define _SYS_TIMES_H

#include <bits/types.h>

typedef __clock_t clock_t;

struct tms {
    clock_t tms_utime;
    clock_t tms_stime;
    clock_t tms_cutime;
    clock_t tms_cstime;
};

extern clock_t times(struct tms *);

#endif
