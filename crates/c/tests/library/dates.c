/* Dates. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "shim.h"

MODEL(gmtime_r);
MODEL(localtime_r);
MODEL(mktime);
MODEL(timegm);
MODEL(asctime_r);
MODEL(asctime);
MODEL(ctime);
MODEL(strftime);
MODEL(difftime);
MODEL(time);

static int same_date(const struct tm *a, const struct tm *b)
{
    return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour
           && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year
           && a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday && a->tm_isdst == b->tm_isdst
           && a->tm_gmtoff == b->tm_gmtoff && !strcmp(a->tm_zone, b->tm_zone);
}

static void test_text(const struct tm *date)
{
    static const char conversions[] = "aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyYzZ%";
    char a[120], b[120], format[] = "<%?>";
    for (const char *conversion = conversions; *conversion; conversion++) {
        format[2] = *conversion;
        size_t size = random_below(4) ? sizeof a : random_below(12);
        size_t count = strftime(a, size, format, date);
        if (PATH_OF(model_strftime(b, size, format, date)) == SHIM_UNSUPPORTED) {
            CHECK(date->tm_year < -1890, "%s", format);
            continue;
        }
        CHECK(model_strftime(b, size, format, date) == count, "%s: %s, model %s", format, a, b);
        CHECK(!count || !strcmp(a, b), "%s: %s, model %s", format, a, b);
    }
    CHECK(strcmp(asctime(date), model_asctime(date)) == 0, "%s %s", asctime(date), model_asctime(date));
}

void test_time(void)
{
    setenv("TZ", "UTC0", 1);
    for (int round = 0; round < 6000; round++) {
        time_t time = random_below(2) ? (time_t)random_below(4000000) * 1000 - random_below(1000)
                                      : (time_t)(random_bits() >> random_below(40)) - (1L << 20);
        struct tm a, b;
        struct tm *expected = gmtime_r(&time, &a), *found = model_gmtime_r(&time, &b);
        CHECK(!expected == !found && (!found || same_date(&a, &b)), "%ld", time);
        if (!found)
            continue;
        localtime_r(&time, &a), model_localtime_r(&time, &b);
        CHECK(same_date(&a, &b), "%ld", time);
        CHECK(strcmp(ctime(&time), model_ctime(&time)) == 0, "%ld", time);
        test_text(&b);
        CHECK(model_timegm(&b) == time, "%ld", time);
        a.tm_mon += (int)random_below(60) - 30;
        a.tm_mday += (int)random_below(800) - 400;
        a.tm_hour -= (int)random_below(100);
        a.tm_sec += (int)random_below(100000);
        if (a.tm_year > 2000000000 || a.tm_year < -2000000000)
            continue;
        b = a;
        CHECK(mktime(&a) == model_mktime(&b) && same_date(&a, &b), "%ld", time);
    }
    CHECK(model_difftime(5, 7) == -2, "difftime");
    shim_input = 42;
    CHECK(model_time(0) == 42, "time");
    shim_input = -1ULL;
    CHECK(PATH_OF(model_time(0)) == SHIM_ASSUME, "time");
}
