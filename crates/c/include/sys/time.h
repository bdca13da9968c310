/* Time of day and timers: POSIX. */
#ifndef _SYS_TIME_H
#define _SYS_TIME_H

#include <bits/timeval.h>
#include <bits/types.h>
#include <sys/select.h>

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

struct itimerval {
    struct timeval it_interval;
    struct timeval it_value;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2

#define timerisset(t) ((t)->tv_sec || (t)->tv_usec)
#define timerclear(t) ((t)->tv_sec = (t)->tv_usec = 0)
#define timercmp(a, b, comparison) \
    (((a)->tv_sec == (b)->tv_sec) ? ((a)->tv_usec comparison(b)->tv_usec) \
                                  : ((a)->tv_sec comparison(b)->tv_sec))
#define timeradd(a, b, sum) \
    do { \
        (sum)->tv_sec = (a)->tv_sec + (b)->tv_sec; \
        (sum)->tv_usec = (a)->tv_usec + (b)->tv_usec; \
        if ((sum)->tv_usec >= 1000000) { \
            ++(sum)->tv_sec; \
            (sum)->tv_usec -= 1000000; \
        } \
    } while (0)
#define timersub(a, b, difference) \
    do { \
        (difference)->tv_sec = (a)->tv_sec - (b)->tv_sec; \
        (difference)->tv_usec = (a)->tv_usec - (b)->tv_usec; \
        if ((difference)->tv_usec < 0) { \
            --(difference)->tv_sec; \
            (difference)->tv_usec += 1000000; \
        } \
    } while (0)

extern int gettimeofday(struct timeval *__restrict, void *__restrict);
extern int settimeofday(const struct timeval *, const struct timezone *);
extern int adjtime(const struct timeval *, struct timeval *);
extern int getitimer(int, struct itimerval *);
extern int setitimer(int, const struct itimerval *__restrict, struct itimerval *__restrict);
extern int utimes(const char *, const struct timeval[2]);
extern int lutimes(const char *, const struct timeval[2]);
extern int futimes(int, const struct timeval[2]);

#endif
