/* Arithmetic on integers: <stdlib.h>, <inttypes.h>. The absolute value of the least number and its
   quotient by -1 do not exist; the operators here get the same checks as those of a program. */
#include <inttypes.h>
#include <stdlib.h>
#include "loupe.h"

int abs(int x)
{
    return x < 0 ? -x : x;
}

long labs(long x)
{
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    return x < 0 ? -x : x;
}

intmax_t imaxabs(intmax_t x)
{
    return x < 0 ? -x : x;
}

div_t div(int x, int y)
{
    div_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

ldiv_t ldiv(long x, long y)
{
    ldiv_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

lldiv_t lldiv(long long x, long long y)
{
    lldiv_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}

imaxdiv_t imaxdiv(intmax_t x, intmax_t y)
{
    imaxdiv_t result;
    result.quot = x / y;
    result.rem = x % y;
    return result;
}
