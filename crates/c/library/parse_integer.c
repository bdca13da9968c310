/* Numbers from text: `strtol` and its relatives of <stdlib.h> and <inttypes.h>. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include "loupe.h"

struct __loupe_integer {
    unsigned long long magnitude;
    _Bool is_negative;
    _Bool is_too_large;
};

static int __loupe_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The value of a digit, or 99. */
static int __loupe_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z')
        return c - 'A' + 10;
    return 99;
}

static int __loupe_has_hexadecimal_prefix(const char *text)
{
    return text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && __loupe_digit(text[2]) < 16;
}

/* Reads a number in a base. Without digits, the number is 0 and ends where the text begins. */
static struct __loupe_integer __loupe_read_integer(const char *text, char **end, int base)
{
    struct __loupe_integer number = {0, 0, 0};
    if (base < 0 || base == 1 || base > 36) {
        __loupe_errno = EINVAL;
        return number;
    }
    const char *position = text;
    const char *last = text;
    while (__loupe_is_space(*position))
        position++;
    if (*position == '-' || *position == '+') {
        number.is_negative = *position == '-';
        position++;
    }
    if ((base == 0 || base == 16) && __loupe_has_hexadecimal_prefix(position)) {
        position += 2;
        base = 16;
    } else if (base == 0)
        base = *position == '0' ? 8 : 10;
    for (int digit; (digit = __loupe_digit(*position)) < base; position++) {
        last = position + 1;
        if (number.magnitude > (ULLONG_MAX - digit) / base)
            number.is_too_large = 1;
        else
            number.magnitude = number.magnitude * base + digit;
    }
    if (end)
        *end = (char *)last;
    return number;
}

static long long __loupe_read_signed(const char *text, char **end, int base, long long least,
                                     long long greatest)
{
    struct __loupe_integer number = __loupe_read_integer(text, end, base);
    /* The magnitude of `least` is one more than `greatest`. */
    unsigned long long limit = (unsigned long long)greatest + number.is_negative;
    if (number.is_too_large || number.magnitude > limit) {
        __loupe_errno = ERANGE;
        return number.is_negative ? least : greatest;
    }
    if (number.is_negative)
        return number.magnitude == limit ? least : -(long long)number.magnitude;
    return (long long)number.magnitude;
}

static unsigned long long __loupe_read_unsigned(const char *text, char **end, int base,
                                                unsigned long long greatest)
{
    struct __loupe_integer number = __loupe_read_integer(text, end, base);
    if (number.is_too_large || number.magnitude > greatest) {
        __loupe_errno = ERANGE;
        return greatest;
    }
    return number.is_negative ? 0 - number.magnitude : number.magnitude;
}

long strtol(const char *restrict text, char **restrict end, int base)
{
    return (long)__loupe_read_signed(text, end, base, LONG_MIN, LONG_MAX);
}

long long strtoll(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_signed(text, end, base, LLONG_MIN, LLONG_MAX);
}

long long strtoq(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_signed(text, end, base, LLONG_MIN, LLONG_MAX);
}

intmax_t strtoimax(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_signed(text, end, base, INTMAX_MIN, INTMAX_MAX);
}

unsigned long strtoul(const char *restrict text, char **restrict end, int base)
{
    return (unsigned long)__loupe_read_unsigned(text, end, base, ULONG_MAX);
}

unsigned long long strtoull(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_unsigned(text, end, base, ULLONG_MAX);
}

unsigned long long strtouq(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_unsigned(text, end, base, ULLONG_MAX);
}

uintmax_t strtoumax(const char *restrict text, char **restrict end, int base)
{
    return __loupe_read_unsigned(text, end, base, UINTMAX_MAX);
}

/* What does not fit is undefined; this is what glibc does. */
int atoi(const char *text)
{
    return (int)__loupe_read_signed(text, 0, 10, LONG_MIN, LONG_MAX);
}

long atol(const char *text)
{
    return (long)__loupe_read_signed(text, 0, 10, LONG_MIN, LONG_MAX);
}

long long atoll(const char *text)
{
    return __loupe_read_signed(text, 0, 10, LLONG_MIN, LLONG_MAX);
}
