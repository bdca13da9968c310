/* `struct timeval`, which several headers share. */
#ifndef _BITS_TIMEVAL_H
#define _BITS_TIMEVAL_H

struct timeval {
    long tv_sec;
    long tv_usec;
};

#endif
