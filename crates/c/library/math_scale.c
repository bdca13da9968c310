/* Exponents and fractions: <math.h>. A factor of two is exact, so the loops below give the digits
   of the argument; at the edge of the range, one multiplication rounds. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include "loupe.h"

/* Brings a finite number other than 0 to [0.5, 1); the exponent that was taken away. */
static double __loupe_fraction(double x, int *exponent)
{
    union {
        double value;
        unsigned long long bits;
    } number = {x};
    int bias = 1022;
    if ((number.bits >> 52 & 0x7ff) == 0) {
        number.value *= 0x1p54;
        bias += 54;
    }
    *exponent = (int)(number.bits >> 52 & 0x7ff) - bias;
    number.bits = (number.bits & 0x800fffffffffffffULL) | 1022ULL << 52;
    return number.value;
}

double frexp(double x, int *exponent)
{
    if (x == 0 || !isfinite(x)) {
        *exponent = 0;
        return x;
    }
    return __loupe_fraction(x, exponent);
}

float frexpf(float x, int *exponent)
{
    if (x == 0 || !isfinite(x)) {
        *exponent = 0;
        return x;
    }
    return (float)__loupe_fraction(x, exponent);
}

/* 2 to the power of an exponent of normal numbers. */
static double __loupe_power_of_two(int exponent)
{
    union {
        unsigned long long bits;
        double value;
    } number = {(unsigned long long)(exponent + 1023) << 52};
    return number.value;
}

/* x * 2^n. Far exponents are taken in two steps, of which only the last one can round: the first
   stays far from subnormal numbers, because two roundings may differ from one. */
static double __loupe_scaled(double x, long n)
{
    int exponent;
    if (x == 0 || !isfinite(x))
        return x;
    double fraction = __loupe_fraction(x, &exponent);
    if (n > 4000)
        n = 4000;
    if (n < -4000)
        n = -4000;
    n += exponent;
    if (n > 1024)
        return fraction * 0x1p1023 * 0x1p1023;
    if (n > 1000)
        return fraction * 0x1p1000 * __loupe_power_of_two((int)n - 1000);
    if (n > -1000)
        return fraction * __loupe_power_of_two((int)n);
    if (n < -1200)
        return fraction * 0x1p-1000 * 0x1p-1000;
    return fraction * 0x1p-900 * __loupe_power_of_two((int)n + 900);
}

static double __loupe_scale_checked(double x, long n)
{
    double result = __loupe_scaled(x, n);
    if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
        __loupe_errno = ERANGE;
    return result;
}

double ldexp(double x, int n)
{
    return __loupe_scale_checked(x, n);
}

double scalbn(double x, int n)
{
    return __loupe_scale_checked(x, n);
}

double scalbln(double x, long n)
{
    return __loupe_scale_checked(x, n);
}

/* In `double`, the product is exact where the `float` is not 0 or infinite. */
static float __loupe_scale_float(float x, long n)
{
    float result = (float)__loupe_scaled(x, n);
    if (isfinite(x) && x != 0 && (isinf(result) || result == 0))
        __loupe_errno = ERANGE;
    return result;
}

float ldexpf(float x, int n)
{
    return __loupe_scale_float(x, n);
}

float scalbnf(float x, int n)
{
    return __loupe_scale_float(x, n);
}

float scalblnf(float x, long n)
{
    return __loupe_scale_float(x, n);
}

static int __loupe_exponent(double x)
{
    int exponent;
    if (x == 0 || isnan(x)) {
        __loupe_errno = EDOM;
        return INT_MIN;
    }
    if (isinf(x)) {
        __loupe_errno = EDOM;
        return INT_MAX;
    }
    __loupe_fraction(x, &exponent);
    return exponent - 1;
}

int ilogb(double x)
{
    return __loupe_exponent(x);
}

int ilogbf(float x)
{
    return __loupe_exponent(x);
}

static double __loupe_exponent_value(double x)
{
    if (x == 0)
        return -HUGE_VAL;
    if (!isfinite(x))
        return x * x;
    return __loupe_exponent(x);
}

double logb(double x)
{
    return __loupe_exponent_value(x);
}

float logbf(float x)
{
    return (float)__loupe_exponent_value(x);
}

/* The sign of each part is that of the argument, also if it is 0. */
double modf(double x, double *whole)
{
    *whole = __loupe_math1(__LOUPE_TRUNC, x);
    return __builtin_copysign(isinf(x) ? 0 : x - *whole, x);
}

float modff(float x, float *whole)
{
    *whole = (float)__loupe_math1(__LOUPE_TRUNC, x);
    return __builtin_copysignf(isinf(x) ? 0 : x - *whole, x);
}
