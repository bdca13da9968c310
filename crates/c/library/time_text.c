/* Dates as text, in the C locale: <time.h>. */
#include <errno.h>
#include <limits.h>
#include <time.h>
#include "loupe.h"

static const char *const __loupe_days[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                           "Thursday", "Friday", "Saturday"};
static const char *const __loupe_months[] = {"January",   "February", "March",    "April",
                                             "May",       "June",     "July",     "August",
                                             "September", "October",  "November", "December"};

static const char *__loupe_day(int day)
{
    return day >= 0 && day < 7 ? __loupe_days[day] : "?";
}

static const char *__loupe_month(int month)
{
    return month >= 0 && month < 12 ? __loupe_months[month] : "?";
}

static int __loupe_write_date(char *to, size_t size, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    int count = __loupe_format(to, size, format, arguments);
    __builtin_va_end(arguments);
    return count;
}

/* 26 bytes, unless the date is far out. */
static char *__loupe_date_text(const struct tm *date, char *to, size_t size)
{
    if (date->tm_year > INT_MAX - 1900) {
        __loupe_errno = EOVERFLOW;
        return 0;
    }
    /* Out of range, three question marks; `strftime` has one. */
    const char *day = __loupe_day(date->tm_wday);
    const char *month = __loupe_month(date->tm_mon);
    day = *day == '?' ? "???" : day;
    month = *month == '?' ? "???" : month;
    int count = __loupe_write_date(to, size, "%.3s %.3s%3d %.2d:%.2d:%.2d %d\n", day, month,
                                   date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec,
                                   1900 + date->tm_year);
    if (count < 0 || (size_t)count >= size) {
        __loupe_errno = EOVERFLOW;
        return 0;
    }
    return to;
}

static char __loupe_date_buffer[128];

char *asctime(const struct tm *date)
{
    return __loupe_date_text(date, __loupe_date_buffer, sizeof __loupe_date_buffer);
}

char *asctime_r(const struct tm *restrict date, char *restrict to)
{
    return __loupe_date_text(date, to, 26);
}

char *ctime(const time_t *time)
{
    struct tm date;
    if (!__loupe_set_date(&date, *time))
        return 0;
    return __loupe_date_text(&date, __loupe_date_buffer, sizeof __loupe_date_buffer);
}

char *ctime_r(const time_t *time, char *to)
{
    struct tm date;
    if (!__loupe_set_date(&date, *time))
        return 0;
    return __loupe_date_text(&date, to, 26);
}

static int __loupe_days_of_year(long long year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365;
}

/* The week of ISO 8601: the first one has the first Thursday. Gives the week, and the year to which
   it belongs. */
static int __loupe_iso_week(const struct tm *date, long long *year)
{
    int weekday = (date->tm_wday + 6) % 7;
    int thursday = date->tm_yday - weekday + 3;
    *year = 1900LL + date->tm_year;
    if (thursday < 0) {
        *year -= 1;
        thursday += __loupe_days_of_year(*year);
    } else if (thursday >= __loupe_days_of_year(*year)) {
        thursday -= __loupe_days_of_year(*year);
        *year += 1;
    }
    return thursday / 7 + 1;
}

static int __loupe_hour_of_twelve(int hour)
{
    return hour % 12 == 0 ? 12 : hour % 12;
}

/* Writes one conversion of `strftime`; how many bytes it has, or -1 if it is not modelled. */
static int __loupe_write_conversion(char *to, size_t size, char conversion, const struct tm *date)
{
    long long year = 1900LL + date->tm_year;
    long long iso_year;
    switch (conversion) {
    case 'a':
        return __loupe_write_date(to, size, "%.3s", __loupe_day(date->tm_wday));
    case 'A':
        return __loupe_write_date(to, size, "%s", __loupe_day(date->tm_wday));
    case 'b':
    case 'h':
        return __loupe_write_date(to, size, "%.3s", __loupe_month(date->tm_mon));
    case 'B':
        return __loupe_write_date(to, size, "%s", __loupe_month(date->tm_mon));
    case 'c':
        return __loupe_write_date(to, size, "%.3s %.3s %2d %.2d:%.2d:%.2d %lld",
                                  __loupe_day(date->tm_wday), __loupe_month(date->tm_mon),
                                  date->tm_mday, date->tm_hour, date->tm_min, date->tm_sec, year);
    case 'C':
        if (year < 0)
            return -1;
        return __loupe_write_date(to, size, "%.2lld", year / 100);
    case 'd':
        return __loupe_write_date(to, size, "%.2d", date->tm_mday);
    case 'D':
    case 'x':
        if (year < 0)
            return -1;
        return __loupe_write_date(to, size, "%.2d/%.2d/%.2d", date->tm_mon + 1, date->tm_mday,
                                  (int)(year % 100));
    case 'e':
        return __loupe_write_date(to, size, "%2d", date->tm_mday);
    case 'F':
        return __loupe_write_date(to, size, "%lld-%.2d-%.2d", year, date->tm_mon + 1,
                                  date->tm_mday);
    case 'g':
        if (year < 1)
            return -1;
        __loupe_iso_week(date, &iso_year);
        return __loupe_write_date(to, size, "%.2d", (int)(iso_year % 100));
    case 'G':
        __loupe_iso_week(date, &iso_year);
        return __loupe_write_date(to, size, "%lld", iso_year);
    case 'H':
        return __loupe_write_date(to, size, "%.2d", date->tm_hour);
    case 'I':
        return __loupe_write_date(to, size, "%.2d", __loupe_hour_of_twelve(date->tm_hour));
    case 'j':
        return __loupe_write_date(to, size, "%.3d", date->tm_yday + 1);
    case 'k':
        return __loupe_write_date(to, size, "%2d", date->tm_hour);
    case 'l':
        return __loupe_write_date(to, size, "%2d", __loupe_hour_of_twelve(date->tm_hour));
    case 'm':
        return __loupe_write_date(to, size, "%.2d", date->tm_mon + 1);
    case 'M':
        return __loupe_write_date(to, size, "%.2d", date->tm_min);
    case 'n':
        return __loupe_write_date(to, size, "\n");
    case 'p':
        return __loupe_write_date(to, size, "%s", date->tm_hour > 11 ? "PM" : "AM");
    case 'P':
        return __loupe_write_date(to, size, "%s", date->tm_hour > 11 ? "pm" : "am");
    case 'r':
        return __loupe_write_date(to, size, "%.2d:%.2d:%.2d %s",
                                  __loupe_hour_of_twelve(date->tm_hour), date->tm_min,
                                  date->tm_sec, date->tm_hour > 11 ? "PM" : "AM");
    case 'R':
        return __loupe_write_date(to, size, "%.2d:%.2d", date->tm_hour, date->tm_min);
    case 'S':
        return __loupe_write_date(to, size, "%.2d", date->tm_sec);
    case 't':
        return __loupe_write_date(to, size, "\t");
    case 'T':
    case 'X':
        return __loupe_write_date(to, size, "%.2d:%.2d:%.2d", date->tm_hour, date->tm_min,
                                  date->tm_sec);
    case 'u':
        return __loupe_write_date(to, size, "%d", date->tm_wday == 0 ? 7 : date->tm_wday);
    case 'U':
        return __loupe_write_date(to, size, "%.2d", (date->tm_yday - date->tm_wday + 7) / 7);
    case 'V':
        return __loupe_write_date(to, size, "%.2d", __loupe_iso_week(date, &iso_year));
    case 'w':
        return __loupe_write_date(to, size, "%d", date->tm_wday);
    case 'W':
        return __loupe_write_date(to, size, "%.2d",
                                  (date->tm_yday - (date->tm_wday + 6) % 7 + 7) / 7);
    case 'y':
        if (year < 0)
            return -1;
        return __loupe_write_date(to, size, "%.2d", (int)(year % 100));
    case 'Y':
        return __loupe_write_date(to, size, "%lld", year);
    case 'z':
        return __loupe_write_date(to, size, "+0000");
    case 'Z':
        return __loupe_write_date(to, size, "%s", date->tm_zone ? date->tm_zone : "");
    case '%':
        return __loupe_write_date(to, size, "%%");
    default:
        return -1;
    }
}

/* Flags and widths of GNU are not modelled. */
size_t strftime(char *restrict to, size_t size, const char *restrict format,
                const struct tm *restrict date)
{
    size_t written = 0;
    for (; *format; format++) {
        int count = 1;
        if (*format != '%') {
            if (written + 1 < size)
                to[written] = *format;
        } else {
            format++;
            if (*format == 'E' || *format == 'O')
                format++;
            if (*format == 'z' && date->tm_gmtoff != 0)
                __loupe_unsupported();
            count = __loupe_write_conversion(to + written, size - written, *format, date);
            if (count < 0) {
                __loupe_unsupported();
                return 0;
            }
        }
        if (written + (size_t)count >= size)
            return 0;
        written += (size_t)count;
    }
    if (written >= size)
        return 0;
    to[written] = 0;
    return written;
}
