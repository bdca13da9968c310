/* Mathematics in `float`: <math.h>. Square roots, roundings and remainders of a `float` are exact
   through `double`; the others are rounded once more, which is as good as any library does. */
#include <errno.h>
#include <math.h>
#include "loupe.h"

/* `errno` has to tell about the result as a `float`. */
static float __loupe_narrowed1(float x, double result)
{
    float narrow = (float)result;
    if (isnan(narrow) && !isnan(x))
        __loupe_errno = EDOM;
    else if (isinf(narrow) && isfinite(x))
        __loupe_errno = ERANGE;
    return narrow;
}

static float __loupe_narrowed2(float x, float y, double result)
{
    float narrow = (float)result;
    if (isnan(narrow) && !isnan(x) && !isnan(y))
        __loupe_errno = EDOM;
    else if (isinf(narrow) && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return narrow;
}

float sqrtf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_SQRT, x));
}

float sinf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_SIN, x));
}

float cosf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_COS, x));
}

float tanf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_TAN, x));
}

float asinf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_ASIN, x));
}

float acosf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_ACOS, x));
}

float atanf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_ATAN, x));
}

float sinhf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_SINH, x));
}

float coshf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_COSH, x));
}

float tanhf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_TANH, x));
}

float expf(float x)
{
    float result = __loupe_narrowed1(x, __loupe_math1(__LOUPE_EXP, x));
    if (result == 0 && isfinite(x))
        __loupe_errno = ERANGE;
    return result;
}

float exp2f(float x)
{
    float result = __loupe_narrowed1(x, __loupe_math1(__LOUPE_EXP2, x));
    if (result == 0 && isfinite(x))
        __loupe_errno = ERANGE;
    return result;
}

float expm1f(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_EXPM1, x));
}

float logf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_LOG, x));
}

float log2f(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_LOG2, x));
}

float log10f(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_LOG10, x));
}

float log1pf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_LOG1P, x));
}

float cbrtf(float x)
{
    return __loupe_narrowed1(x, __loupe_math1(__LOUPE_CBRT, x));
}

float floorf(float x)
{
    return (float)__loupe_math1(__LOUPE_FLOOR, x);
}

float ceilf(float x)
{
    return (float)__loupe_math1(__LOUPE_CEIL, x);
}

float truncf(float x)
{
    return (float)__loupe_math1(__LOUPE_TRUNC, x);
}

float roundf(float x)
{
    return (float)__loupe_math1(__LOUPE_ROUND, x);
}

float rintf(float x)
{
    return (float)__loupe_math1(__LOUPE_RINT, x);
}

float nearbyintf(float x)
{
    return (float)__loupe_math1(__LOUPE_RINT, x);
}

float atan2f(float y, float x)
{
    return (float)__loupe_math2(__LOUPE_ATAN2, y, x);
}

float fmodf(float x, float y)
{
    return __loupe_narrowed2(x, y, __loupe_math2(__LOUPE_FMOD, x, y));
}

float hypotf(float x, float y)
{
    return __loupe_narrowed2(x, y, __loupe_math2(__LOUPE_HYPOT, x, y));
}

float powf(float x, float y)
{
    float result = __loupe_narrowed2(x, y, __loupe_math2(__LOUPE_POW, x, y));
    if (result == 0 && x != 0 && isfinite(x) && isfinite(y))
        __loupe_errno = ERANGE;
    return result;
}
