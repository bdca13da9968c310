// Numbers to text and back by hand.
#include <stdio.h>

static char *digits(char *end, unsigned long long n, unsigned base) {
    *end = 0;
    do
        *--end = "0123456789abcdefghijklmnopqrstuvwxyz"[n % base];
    while (n /= base);
    return end;
}

static long long parse(const char *s) {
    int minus = *s == '-';
    s += minus;
    long long n = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        n = n * 10 + *s - '0';
    return minus ? -n : n;
}

int main(void) {
    char buffer[70];
    printf("%s\n", digits(buffer + 69, 18446744073709551615ULL, 10));
    printf("%s\n", digits(buffer + 69, 255, 2));
    printf("%s\n", digits(buffer + 69, 0, 16));
    printf("%s\n", digits(buffer + 69, 123456789, 36));
    printf("%lld\n", parse("-9000000000x"));
    return (int)parse("77");
}
