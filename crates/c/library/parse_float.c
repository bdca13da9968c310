/* Floating point numbers from text: <stdlib.h>. */
#include <errno.h>
#include <float.h>
#include <stdlib.h>
#include "loupe.h"

static const char *__loupe_skip_to_number(const char *text)
{
    while (*text == ' ' || (*text >= '\t' && *text <= '\r'))
        text++;
    if (*text == '-' || *text == '+')
        text++;
    return text;
}

static int __loupe_is_hexadecimal(const char *number)
{
    return number[0] == '0' && (number[1] == 'x' || number[1] == 'X');
}

/* Whether the digits before an exponent have one that is not 0. */
static int __loupe_has_value(const char *number)
{
    int is_hexadecimal = __loupe_is_hexadecimal(number);
    if (is_hexadecimal)
        number += 2;
    for (;; number++) {
        char c = *number;
        if (c >= '1' && c <= '9')
            return 1;
        if (is_hexadecimal && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
            return 1;
        if (c != '0' && c != '.')
            return 0;
    }
}

/* Sets ERANGE if a number is too large, or smaller than the least normal one of its type. There, a
   number is no error if it is representable exactly, which decimals of usual length never are. */
static void __loupe_check_range(const char *text, double value, double least)
{
    const char *number = __loupe_skip_to_number(text);
    if (!((*number >= '0' && *number <= '9') || *number == '.'))
        return;
    double magnitude = value < 0 ? -value : value;
    if (magnitude > DBL_MAX) {
        __loupe_errno = ERANGE;
        return;
    }
    if (magnitude >= least || !__loupe_has_value(number))
        return;
    if (magnitude > 0 && __loupe_is_hexadecimal(number))
        __loupe_unsupported();
    __loupe_errno = ERANGE;
}

static double __loupe_read_double(const char *text, char **end)
{
    char *last;
    double value = __loupe_parse_float(text, &last);
    if (last != text)
        __loupe_check_range(text, value, DBL_MIN);
    if (end)
        *end = last;
    return value;
}

double strtod(const char *restrict text, char **restrict end)
{
    return __loupe_read_double(text, end);
}

double atof(const char *text)
{
    return __loupe_read_double(text, 0);
}

/* Rounding twice, to `double` and then to `float`, is rounding once unless the first result lies
   just between two numbers of type `float`. */
static float __loupe_narrow(double value)
{
    union {
        double value;
        unsigned long long bits;
    } number = {value};
    if ((number.bits & 0x1fffffff) == 0x10000000)
        __loupe_unsupported();
    return (float)value;
}

float strtof(const char *restrict text, char **restrict end)
{
    char *last;
    double value = __loupe_parse_float(text, &last);
    double magnitude = value < 0 ? -value : value;
    if (magnitude < FLT_MIN && magnitude > 0)
        __loupe_unsupported();
    float narrow = __loupe_narrow(value);
    if (last != text) {
        if (magnitude <= DBL_MAX && (narrow > FLT_MAX || narrow < -FLT_MAX))
            __loupe_errno = ERANGE;
        __loupe_check_range(text, value, FLT_MIN);
    }
    if (end)
        *end = last;
    return narrow;
}

struct __loupe_decimal {
    unsigned long long digits;
    int exponent;
    _Bool is_exact;
};

/* Reads digits and the exponent of a decimal number, as far as 64 bits hold the digits. */
static struct __loupe_decimal __loupe_read_decimal(const char *number, const char *end)
{
    struct __loupe_decimal decimal = {0, 0, 1};
    _Bool is_fraction = 0;
    for (; number < end && *number != 'e' && *number != 'E'; number++) {
        if (*number == '.') {
            is_fraction = 1;
            continue;
        }
        if (decimal.digits > (18446744073709551615ULL - 9) / 10)
            decimal.is_exact = 0;
        decimal.digits = decimal.digits * 10 + (*number - '0');
        decimal.exponent -= is_fraction;
    }
    if (number < end) {
        int sign = 1;
        int exponent = 0;
        number++;
        if (*number == '-' || *number == '+') {
            sign = *number == '-' ? -1 : 1;
            number++;
        }
        for (; number < end && exponent < 100000; number++)
            exponent = exponent * 10 + (*number - '0');
        decimal.exponent += sign * exponent;
    }
    return decimal;
}

/* 64 bits of digits and powers of ten up to 10^27 are exact in a `long double`, so one rounding
   happens: that of the last operation. Other numbers are not modelled. */
static long double __loupe_scale(struct __loupe_decimal decimal)
{
    long double value = decimal.digits;
    long double power = 1;
    if (decimal.digits == 0)
        return 0;
    if (!decimal.is_exact || decimal.exponent > 27 || decimal.exponent < -27) {
        __loupe_unsupported();
        return 0;
    }
    for (int i = 0; i < decimal.exponent || i < -decimal.exponent; i++)
        power *= 10;
    return decimal.exponent < 0 ? value / power : value * power;
}

long double strtold(const char *restrict text, char **restrict end)
{
    char *last;
    long double value = __loupe_parse_float(text, &last);
    const char *number = __loupe_skip_to_number(text);
    if (last != text && ((*number >= '0' && *number <= '9') || *number == '.')) {
        if (__loupe_is_hexadecimal(number) && last > number + 1)
            __loupe_unsupported();
        value = __loupe_scale(__loupe_read_decimal(number, last));
        if (number != text && number[-1] == '-')
            value = -value;
    }
    if (end)
        *end = last;
    return value;
}
