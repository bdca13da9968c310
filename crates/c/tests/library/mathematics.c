/* Mathematics. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "check.h"
#include "shim.h"

extern int model___loupe_errno;

#define ONE(name) \
    MODEL(name); \
    MODEL(name##f);
#define ALL(name) \
    ONE(name) MODEL(name##l);
ONE(sqrt) ONE(sin) ONE(cos) ONE(tan) ONE(asin) ONE(acos) ONE(atan) ONE(sinh) ONE(cosh) ONE(tanh)
ONE(exp) ONE(exp2) ONE(expm1) ONE(log) ONE(log2) ONE(log10) ONE(log1p) ONE(cbrt)
ALL(floor) ALL(ceil) ALL(trunc) ALL(round) ONE(rint) ONE(nearbyint)
ONE(atan2) ONE(pow) ONE(fmod) ONE(hypot)
ALL(fabs) ALL(copysign) ALL(fmin) ALL(fmax) ALL(fdim) ALL(modf)
ONE(frexp) ONE(ldexp) ONE(scalbn) ONE(scalbln) ONE(ilogb) ONE(logb)
ONE(lround) ONE(llround) ONE(lrint) ONE(llrint)
MODEL(sqrtl);

static int same_double(double a, double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static int same_long_double(long double a, long double b)
{
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, 10) == 0;
}

/* Functions through `double` are off by at most one in the last place. */
static int near_float(float a, float b)
{
    return (isnan(a) && isnan(b)) || a == b || nextafterf(a, b) == b;
}

#define SAME_WITH(same, type, function, ...) \
    do { \
        errno = model___loupe_errno = 0; \
        type value = function(__VA_ARGS__), model = model_##function(__VA_ARGS__); \
        CHECK(same(value, model), #function "(%La): %La, model %La", (long double)x, \
              (long double)value, (long double)model); \
        CHECK(!CHECKS_ERRNO(value) || errno == model___loupe_errno, #function "(%La): %d, model %d", \
              (long double)x, errno, model___loupe_errno); \
    } while (0)
/* Whether a result in the subnormal range is an error is left to the library. */
#define CHECKS_ERRNO(value) (fpclassify(value) != FP_SUBNORMAL && fpclassify(value) != FP_ZERO)
#define SAME(function, ...) SAME_WITH(same_double, double, function, __VA_ARGS__)
#define SAME_FLOAT(function, ...) SAME_WITH(same_double, float, function, __VA_ARGS__)
#define NEAR_FLOAT(function, ...) SAME_WITH(near_float, float, function, __VA_ARGS__)
#define SAME_LONG(function, ...) SAME_WITH(same_long_double, long double, function, __VA_ARGS__)

static double random_double(void)
{
    static const double edges[] = {0.0, -0.0, 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 709.9, -745.3, 1e300, -1e300,
                                   1e-310, 4.9e-324, 0x1.fffffffffffffp-2, 0x1p52, 0x1p53, INFINITY,
                                   -INFINITY, NAN, 3, 2, 1e20, 0.1};
    union {
        unsigned long long bits;
        double value;
    } number;
    switch (random_below(3)) {
    case 0:
        return edges[random_below(sizeof edges / sizeof *edges)];
    case 1:
        return ((int)random_below(20000) - 10000) / 64.0;
    default:
        number.bits = random_bits();
        /* No signalling NaN: C does not say what becomes of one. */
        return isnan(number.value) ? NAN : number.value;
    }
}

static void test_one(double x)
{
    SAME(sqrt, x); SAME(sin, x); SAME(cos, x); SAME(tan, x); SAME(asin, x); SAME(acos, x); SAME(atan, x);
    SAME(sinh, x); SAME(cosh, x); SAME(tanh, x); SAME(exp, x); SAME(exp2, x); SAME(expm1, x);
    SAME(log, x); SAME(log2, x); SAME(log10, x); SAME(log1p, x); SAME(cbrt, x);
    SAME(floor, x); SAME(ceil, x); SAME(trunc, x); SAME(round, x); SAME(rint, x); SAME(nearbyint, x);
    SAME(fabs, x); SAME(logb, x);
    CHECK(ilogb(x) == model_ilogb(x) || isnan(x), "%a: %d, model %d", x, ilogb(x), model_ilogb(x));
    if (fabs(x) < 1e18) {
        CHECK(lround(x) == model_lround(x) && llround(x) == model_llround(x), "%a", x);
        CHECK(lrint(x) == model_lrint(x) && llrint(x) == model_llrint(x), "%a", x);
    } else
        CHECK(fabs(x) < 0x1p63 || PATH_OF(model_lround(x)) == SHIM_UNSUPPORTED, "%a", x);
    int exponent, model_exponent;
    double value = frexp(x, &exponent), model = model_frexp(x, &model_exponent);
    CHECK(same_double(value, model) && exponent == model_exponent, "frexp %a", x);
    double whole, model_whole;
    value = modf(x, &whole), model = model_modf(x, &model_whole);
    CHECK(same_double(value, model) && same_double(whole, model_whole), "modf %a", x);
}

static void test_float(float x, float y)
{
    SAME_FLOAT(sqrtf, x); NEAR_FLOAT(sinf, x); NEAR_FLOAT(cosf, x); NEAR_FLOAT(tanf, x);
    NEAR_FLOAT(asinf, x); NEAR_FLOAT(acosf, x); NEAR_FLOAT(atanf, x); NEAR_FLOAT(expf, x);
    NEAR_FLOAT(logf, x); NEAR_FLOAT(log2f, x); NEAR_FLOAT(log10f, x); NEAR_FLOAT(cbrtf, x);
    SAME_FLOAT(floorf, x); SAME_FLOAT(ceilf, x); SAME_FLOAT(truncf, x); SAME_FLOAT(roundf, x);
    SAME_FLOAT(rintf, x); SAME_FLOAT(nearbyintf, x); SAME_FLOAT(fabsf, x); SAME_FLOAT(logbf, x);
    SAME_FLOAT(fmodf, x, y); NEAR_FLOAT(powf, x, y); NEAR_FLOAT(hypotf, x, y);
    SAME_FLOAT(fminf, x, y); SAME_FLOAT(fmaxf, x, y); SAME_FLOAT(copysignf, x, y); SAME_FLOAT(fdimf, x, y);
    NEAR_FLOAT(atan2f, x, y);
    int n = (int)random_below(400) - 200;
    SAME_FLOAT(ldexpf, x, n); SAME_FLOAT(scalbnf, x, n); SAME_FLOAT(scalblnf, x, n);
    CHECK(ilogbf(x) == model_ilogbf(x) || isnan(x), "%a", x);
    int exponent, model_exponent;
    float value = frexpf(x, &exponent), model = model_frexpf(x, &model_exponent);
    CHECK(same_double(value, model) && exponent == model_exponent, "frexpf %a", x);
    float whole, model_whole;
    value = modff(x, &whole), model = model_modff(x, &model_whole);
    CHECK(same_double(value, model) && same_double(whole, model_whole), "modff %a", x);
    if (fabsf(x) < 1e18f)
        CHECK(lroundf(x) == model_lroundf(x) && llrintf(x) == model_llrintf(x), "%a", x);
}

static void test_long_double(long double x, long double y)
{
    SAME_LONG(floorl, x); SAME_LONG(ceill, x); SAME_LONG(truncl, x); SAME_LONG(roundl, x);
    SAME_LONG(fabsl, x); SAME_LONG(copysignl, x, y); SAME_LONG(fminl, x, y); SAME_LONG(fmaxl, x, y);
    SAME_LONG(fdiml, x, y);
    long double whole, model_whole;
    long double value = modfl(x, &whole), model = model_modfl(x, &model_whole);
    CHECK(same_long_double(value, model) && same_long_double(whole, model_whole), "modfl %La", x);
    if (PATH_OF(model_sqrtl(x)) == 0)
        SAME_LONG(sqrtl, x);
}

void test_mathematics(void)
{
    for (int round = 0; round < 4000; round++) {
        double x = random_double(), y = random_double();
        test_one(x);
        SAME(atan2, x, y); SAME(pow, x, y); SAME(fmod, x, y); SAME(hypot, x, y);
        SAME(fmin, x, y); SAME(fmax, x, y); SAME(copysign, x, y); SAME(fdim, x, y);
        int n = random_below(4) ? (int)random_below(4400) - 2200 : (int)random_bits();
        SAME(ldexp, x, n); SAME(scalbn, x, n); SAME(scalbln, x, n);
        test_float((float)x, (float)y);
        long double fine = (long double)x * (1 + random_below(1000) * 0x1p-63L);
        test_long_double(fine, y);
        test_long_double((long double)(int)random_bits() * (int)random_bits(), y);
    }
    CHECK(model_sqrtl(144) == 12 && model_sqrtl(2.25L) == 1.5L, "exact roots");
}
