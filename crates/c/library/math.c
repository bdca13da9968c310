/* Mathematics in `double`: <math.h>. The values come from intrinsics; this file adds `errno`. */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include "loupe.h"

/* A result that is no number, of arguments that are, is a domain error; an infinite one, of finite
   arguments, is out of range. */
static double __loupe_checked1(double x, double result)
{
    if (isnan(result) && !isnan(x))
        __loupe_errno = EDOM;
    else if (isinf(result) && isfinite(x))
        __loupe_errno = ERANGE;
    return result;
}

static double __loupe_checked2(double x, double y, double result)
{
    if (isnan(result) && !isnan(x) && !isnan(y))
        __loupe_errno = EDOM;
    else if (isinf(result) && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return result;
}

double sqrt(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_SQRT, x));
}

double sin(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_SIN, x));
}

double cos(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_COS, x));
}

double tan(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_TAN, x));
}

double asin(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_ASIN, x));
}

double acos(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_ACOS, x));
}

double atan(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_ATAN, x));
}

double sinh(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_SINH, x));
}

double cosh(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_COSH, x));
}

double tanh(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_TANH, x));
}

double expm1(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_EXPM1, x));
}

double log(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_LOG, x));
}

double log2(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_LOG2, x));
}

double log10(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_LOG10, x));
}

double log1p(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_LOG1P, x));
}

double cbrt(double x)
{
    return __loupe_checked1(x, __loupe_math1(__LOUPE_CBRT, x));
}

double exp(double x)
{
    double result = __loupe_math1(__LOUPE_EXP, x);
    if (result == 0 && isfinite(x))
        __loupe_errno = ERANGE;
    return __loupe_checked1(x, result);
}

double exp2(double x)
{
    double result = __loupe_math1(__LOUPE_EXP2, x);
    if (result == 0 && isfinite(x))
        __loupe_errno = ERANGE;
    return __loupe_checked1(x, result);
}

double floor(double x)
{
    return __loupe_math1(__LOUPE_FLOOR, x);
}

double ceil(double x)
{
    return __loupe_math1(__LOUPE_CEIL, x);
}

double trunc(double x)
{
    return __loupe_math1(__LOUPE_TRUNC, x);
}

double round(double x)
{
    return __loupe_math1(__LOUPE_ROUND, x);
}

double rint(double x)
{
    return __loupe_math1(__LOUPE_RINT, x);
}

double nearbyint(double x)
{
    return __loupe_math1(__LOUPE_RINT, x);
}

double atan2(double y, double x)
{
    return __loupe_math2(__LOUPE_ATAN2, y, x);
}

double fmod(double x, double y)
{
    return __loupe_checked2(x, y, __loupe_math2(__LOUPE_FMOD, x, y));
}

double hypot(double x, double y)
{
    return __loupe_checked2(x, y, __loupe_math2(__LOUPE_HYPOT, x, y));
}

double pow(double x, double y)
{
    double result = __loupe_math2(__LOUPE_POW, x, y);
    if (result == 0 && x != 0 && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return __loupe_checked2(x, y, result);
}
