/* Date and time: <time.h>, <sys/time.h>. Clocks are inputs of the program; the time zone is UTC, as
   without an environment and without files. */
#include <errno.h>
#include <limits.h>
#include <sys/time.h>
#include <time.h>
#include "loupe.h"

enum { __LOUPE_DAY = 86400 };

static long __loupe_seconds(void)
{
    long seconds = __loupe_input_long();
    __loupe_assume(seconds >= 0);
    return seconds;
}

static long __loupe_part_of_second(long parts)
{
    long part = __loupe_input_long();
    __loupe_assume(part >= 0 && part < parts);
    return part;
}

time_t time(time_t *result)
{
    time_t now = __loupe_seconds();
    if (result)
        *result = now;
    return now;
}

clock_t clock(void)
{
    return __loupe_seconds();
}

double difftime(time_t end, time_t start)
{
    return (double)end - (double)start;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    if (zone)
        __loupe_unsupported();
    now->tv_sec = __loupe_seconds();
    now->tv_usec = __loupe_part_of_second(1000000);
    return 0;
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    if (which < CLOCK_REALTIME || which > CLOCK_BOOTTIME) {
        __loupe_errno = EINVAL;
        return -1;
    }
    now->tv_sec = __loupe_seconds();
    now->tv_nsec = __loupe_part_of_second(1000000000);
    return 0;
}

int timespec_get(struct timespec *now, int base)
{
    if (base != TIME_UTC)
        return 0;
    now->tv_sec = __loupe_seconds();
    now->tv_nsec = __loupe_part_of_second(1000000000);
    return base;
}

/* Time does not pass. */
int nanosleep(const struct timespec *duration, struct timespec *rest)
{
    (void)rest;
    if (duration->tv_sec < 0 || duration->tv_nsec < 0 || duration->tv_nsec >= 1000000000) {
        __loupe_errno = EINVAL;
        return -1;
    }
    return 0;
}

static _Bool __loupe_is_leap_year(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from the first of January of 1970 to that of a year. */
static long long __loupe_days_before_year(long long year)
{
    /* In periods of 400 years, so that divisions are of positive numbers. */
    long long periods = year / 400 - (year % 400 < 0);
    long long past = year - periods * 400;
    long long leap_days = past == 0 ? 0 : (past - 1) / 4 - (past - 1) / 100 + 1;
    return periods * 146097 + past * 365 + leap_days - 719528;
}

static const short __loupe_days_before_month[2][12] = {
    {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334},
    {0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335},
};

/* The date so many seconds after the beginning of 1970. */
_Bool __loupe_set_date(struct tm *date, time_t time)
{
    long long days = time / __LOUPE_DAY - (time % __LOUPE_DAY < 0);
    int second = (int)(time - days * __LOUPE_DAY);
    /* The average year gives the year or one of its neighbours. */
    long long year = 1970 + days * 400 / 146097;
    while (__loupe_days_before_year(year) > days)
        year--;
    while (__loupe_days_before_year(year + 1) <= days)
        year++;
    if (year - 1900 > INT_MAX || year - 1900 < INT_MIN) {
        __loupe_errno = EOVERFLOW;
        return 0;
    }
    int day = (int)(days - __loupe_days_before_year(year));
    const short *before = __loupe_days_before_month[__loupe_is_leap_year(year)];
    int month = 11;
    while (before[month] > day)
        month--;
    date->tm_sec = second % 60;
    date->tm_min = second / 60 % 60;
    date->tm_hour = second / 3600;
    date->tm_mday = day - before[month] + 1;
    date->tm_mon = month;
    date->tm_year = (int)(year - 1900);
    /* The first day was a Thursday. */
    date->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    date->tm_yday = day;
    date->tm_isdst = 0;
    date->tm_gmtoff = 0;
    return 1;
}

static struct tm __loupe_date;

static struct tm *__loupe_date_in_zone(const time_t *time, struct tm *date, const char *zone)
{
    if (!__loupe_set_date(date, *time))
        return 0;
    date->tm_zone = zone;
    return date;
}

struct tm *gmtime_r(const time_t *restrict time, struct tm *restrict date)
{
    return __loupe_date_in_zone(time, date, "GMT");
}

struct tm *gmtime(const time_t *time)
{
    return __loupe_date_in_zone(time, &__loupe_date, "GMT");
}

struct tm *localtime_r(const time_t *restrict time, struct tm *restrict date)
{
    return __loupe_date_in_zone(time, date, "UTC");
}

struct tm *localtime(const time_t *time)
{
    return __loupe_date_in_zone(time, &__loupe_date, "UTC");
}

/* The time of a date whose members may be out of range; they are put in range. */
static time_t __loupe_time_of(struct tm *date, const char *zone)
{
    long long month = date->tm_mon % 12;
    long long year = 1900LL + date->tm_year + date->tm_mon / 12;
    if (month < 0) {
        month += 12;
        year--;
    }
    const short *before = __loupe_days_before_month[__loupe_is_leap_year(year)];
    long long days = __loupe_days_before_year(year) + before[month] + date->tm_mday - 1;
    long long seconds =
        ((days * 24 + date->tm_hour) * 60 + date->tm_min) * 60 + date->tm_sec;
    time_t time = (time_t)seconds;
    struct tm result;
    if (time != seconds || !__loupe_set_date(&result, time)) {
        __loupe_errno = EOVERFLOW;
        return -1;
    }
    *date = result;
    date->tm_zone = zone;
    return time;
}

time_t mktime(struct tm *date)
{
    return __loupe_time_of(date, "UTC");
}

time_t timelocal(struct tm *date)
{
    return __loupe_time_of(date, "UTC");
}

time_t timegm(struct tm *date)
{
    return __loupe_time_of(date, "GMT");
}

static char *__loupe_zone_names[2] = {"UTC", "UTC"};
char *tzname[2] = {"UTC", "UTC"};
int daylight;
long timezone;

void tzset(void)
{
    tzname[0] = __loupe_zone_names[0];
    tzname[1] = __loupe_zone_names[1];
    daylight = 0;
    timezone = 0;
}
