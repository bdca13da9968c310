/* What is exact in all three floating types: <math.h>. Which zero `fmin` and `fmax` give is left
   open by the standard; here it is the one of glibc. */
#include <errno.h>
#include <math.h>
#include "loupe.h"

double fabs(double x)
{
    return __builtin_fabs(x);
}

double copysign(double x, double y)
{
    return __builtin_copysign(x, y);
}

double fmin(double x, double y)
{
    return x < y || isnan(y) ? x : y;
}

double fmax(double x, double y)
{
    return x > y || isnan(y) ? x : y;
}

double fdim(double x, double y)
{
    if (isnan(x) || isnan(y))
        return x + y;
    double result = x > y ? x - y : 0;
    if (isinf(result) && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return result;
}

double nan(const char *tag)
{
    if (*tag)
        __loupe_unsupported();
    return __builtin_nan("");
}

int finite(double x)
{
    return isfinite(x);
}

int __finite(double x)
{
    return isfinite(x);
}

int __isnan(double x)
{
    return isnan(x);
}

int __isinf(double x)
{
    return isinf(x);
}

int __signbit(double x)
{
    return signbit(x);
}

int __fpclassify(double x)
{
    return fpclassify(x);
}

float fabsf(float x)
{
    return __builtin_fabsf(x);
}

float copysignf(float x, float y)
{
    return __builtin_copysignf(x, y);
}

float fminf(float x, float y)
{
    return x < y || isnan(y) ? x : y;
}

float fmaxf(float x, float y)
{
    return x > y || isnan(y) ? x : y;
}

float fdimf(float x, float y)
{
    if (isnan(x) || isnan(y))
        return x + y;
    float result = x > y ? x - y : 0;
    if (isinf(result) && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return result;
}

float nanf(const char *tag)
{
    if (*tag)
        __loupe_unsupported();
    return __builtin_nanf("");
}

int finitef(float x)
{
    return isfinite(x);
}

int __finitef(float x)
{
    return isfinite(x);
}

int __isnanf(float x)
{
    return isnan(x);
}

int __isinff(float x)
{
    return isinf(x);
}

int __signbitf(float x)
{
    return signbit(x);
}

int __fpclassifyf(float x)
{
    return fpclassify(x);
}

long double fabsl(long double x)
{
    return __builtin_fabsl(x);
}

long double copysignl(long double x, long double y)
{
    return __builtin_copysignl(x, y);
}

long double fminl(long double x, long double y)
{
    return x > y || isnan(x) ? y : x;
}

long double fmaxl(long double x, long double y)
{
    return x > y || isnan(y) ? x : y;
}

long double fdiml(long double x, long double y)
{
    if (isnan(x) || isnan(y))
        return x + y;
    long double result = x > y ? x - y : 0;
    if (isinf(result) && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return result;
}

long double nanl(const char *tag)
{
    if (*tag)
        __loupe_unsupported();
    return __builtin_nanl("");
}

int finitel(long double x)
{
    return isfinite(x);
}

int __finitel(long double x)
{
    return isfinite(x);
}

int __isnanl(long double x)
{
    return isnan(x);
}

int __isinfl(long double x)
{
    return isinf(x);
}

int __signbitl(long double x)
{
    return signbit(x);
}

int __fpclassifyl(long double x)
{
    return fpclassify(x);
}
