// Bases, signs, end pointers and overflow.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    const char *s = "  -123xyz";
    printf("%ld ", strtol(s, &end, 10));
    printf("%d %s\n", (int)(end - s), end);
    printf("%ld %ld %ld\n", strtol("0x1f", 0, 0), strtol("017", 0, 0), strtol("z", 0, 36));
    printf("%ld ", strtol("none", &end, 10));
    printf("%s\n", end);
    printf("%ld\n", strtol("1012", &end, 2));
    printf("%s\n", end);
    errno = 0;
    printf("%d ", strtol("99999999999999999999", 0, 10) == LONG_MAX);
    printf("%d\n", errno == ERANGE);
    printf("%llu\n", strtoull("18446744073709551615", 0, 10));
    printf("%lld\n", strtoll("-9223372036854775808", 0, 10));
    printf("%lu\n", strtoul("0xff", 0, 16));
    return atoi("42abc") + atoi("nothing") + (int)atoll(" -1");
}
