/* `struct timespec`, which several headers share. */
#ifndef _BITS_TIMESPEC_H
#define _BITS_TIMESPEC_H

struct timespec {
    long tv_sec;
    long tv_nsec;
};

#endif
