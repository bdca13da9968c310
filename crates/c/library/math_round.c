/* Rounding to integers, and `long double`: <math.h>. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include "loupe.h"

/* Converts a whole number. What does not fit is undefined in C; glibc's answer is that of the
   processor, the least number. */
static long long __loupe_to_long_long(double whole)
{
    if (whole >= -0x1p63 && whole < 0x1p63)
        return (long long)whole;
    __loupe_unsupported();
    return LLONG_MIN;
}

static long __loupe_to_long(double whole)
{
    if (whole >= (double)LONG_MIN && whole < -(double)LONG_MIN)
        return (long)whole;
    __loupe_unsupported();
    return LONG_MIN;
}

long lround(double x)
{
    return __loupe_to_long(__loupe_math1(__LOUPE_ROUND, x));
}

long lroundf(float x)
{
    return __loupe_to_long(__loupe_math1(__LOUPE_ROUND, x));
}

long lrint(double x)
{
    return __loupe_to_long(__loupe_math1(__LOUPE_RINT, x));
}

long lrintf(float x)
{
    return __loupe_to_long(__loupe_math1(__LOUPE_RINT, x));
}

long long llround(double x)
{
    return __loupe_to_long_long(__loupe_math1(__LOUPE_ROUND, x));
}

long long llroundf(float x)
{
    return __loupe_to_long_long(__loupe_math1(__LOUPE_ROUND, x));
}

long long llrint(double x)
{
    return __loupe_to_long_long(__loupe_math1(__LOUPE_RINT, x));
}

long long llrintf(float x)
{
    return __loupe_to_long_long(__loupe_math1(__LOUPE_RINT, x));
}

/* A `long double` from 2^63 on is whole, and below, a `long long` holds its whole part. */
static long double __loupe_whole_part(long double x)
{
    if (!(x > -0x1p63L && x < 0x1p63L))
        return x;
    return __builtin_copysignl((long double)(long long)x, x);
}

long double truncl(long double x)
{
    return __loupe_whole_part(x);
}

long double floorl(long double x)
{
    long double whole = __loupe_whole_part(x);
    return whole > x ? whole - 1 : whole;
}

long double ceill(long double x)
{
    long double whole = __loupe_whole_part(x);
    return whole < x ? whole + 1 : whole;
}

/* The difference is exact: both have the same exponent, or the whole part is 0. */
long double roundl(long double x)
{
    long double whole = __loupe_whole_part(x);
    if (x - whole >= 0.5L)
        return whole + 1;
    if (x - whole <= -0.5L)
        return whole - 1;
    return whole;
}

long double modfl(long double x, long double *whole)
{
    *whole = __loupe_whole_part(x);
    return __builtin_copysignl(isinf(x) ? 0 : x - *whole, x);
}

/* If the square of the root in `double` rounds to the argument, that root is within a quarter of
   the last place of the true one, so it is the nearest number. Other roots are not modelled. */
long double sqrtl(long double x)
{
    if (isnan(x) || x == 0 || x == HUGE_VALL)
        return x;
    if (x < 0) {
        __loupe_errno = EDOM;
        return NAN;
    }
    double root = __loupe_math1(__LOUPE_SQRT, (double)x);
    if ((long double)root * root != x)
        __loupe_unsupported();
    return root;
}
