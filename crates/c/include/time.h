/* Date and time: C11 7.27, POSIX. */
#ifndef _TIME_H
#define _TIME_H

#include <features.h>
#include <bits/locale_t.h>
#include <bits/timespec.h>
#include <bits/types.h>

typedef __SIZE_TYPE__ size_t;
typedef __clock_t clock_t;
typedef __clockid_t clockid_t;
typedef __time_t time_t;
typedef __timer_t timer_t;
typedef __pid_t pid_t;

#undef NULL
#define NULL ((void *)0)

#define CLOCKS_PER_SEC ((clock_t)1000000)
#define TIME_UTC 1
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_THREAD_CPUTIME_ID 3
#define CLOCK_MONOTONIC_RAW 4
#define CLOCK_REALTIME_COARSE 5
#define CLOCK_MONOTONIC_COARSE 6
#define CLOCK_BOOTTIME 7
#define TIMER_ABSTIME 1

struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

struct itimerspec {
    struct timespec it_interval;
    struct timespec it_value;
};

struct sigevent;

extern clock_t clock(void);
extern double difftime(time_t, time_t);
extern time_t mktime(struct tm *);
extern time_t time(time_t *);
extern int timespec_get(struct timespec *, int);
extern char *asctime(const struct tm *);
extern char *ctime(const time_t *);
extern struct tm *gmtime(const time_t *);
extern struct tm *localtime(const time_t *);
extern size_t strftime(char *__restrict, size_t, const char *__restrict,
                       const struct tm *__restrict);

extern char *asctime_r(const struct tm *__restrict, char *__restrict);
extern char *ctime_r(const time_t *, char *);
extern struct tm *gmtime_r(const time_t *__restrict, struct tm *__restrict);
extern struct tm *localtime_r(const time_t *__restrict, struct tm *__restrict);
extern size_t strftime_l(char *__restrict, size_t, const char *__restrict,
                         const struct tm *__restrict, locale_t);
extern time_t timegm(struct tm *);
extern time_t timelocal(struct tm *);
extern int dysize(int);

extern char *tzname[2];
extern int daylight;
extern long timezone;
extern void tzset(void);

extern int nanosleep(const struct timespec *, struct timespec *);
extern int clock_getres(clockid_t, struct timespec *);
extern int clock_gettime(clockid_t, struct timespec *);
extern int clock_settime(clockid_t, const struct timespec *);
extern int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
extern int clock_getcpuclockid(pid_t, clockid_t *);
extern int timer_create(clockid_t, struct sigevent *__restrict, timer_t *__restrict);
extern int timer_delete(timer_t);
extern int timer_settime(timer_t, int, const struct itimerspec *__restrict,
                         struct itimerspec *__restrict);
extern int timer_gettime(timer_t, struct itimerspec *);
extern int timer_getoverrun(timer_t);

#ifdef __USE_XOPEN
extern char *strptime(const char *__restrict, const char *__restrict, struct tm *__restrict);
extern int getdate_err;
extern struct tm *getdate(const char *);
#endif

#endif
