/* Random numbers: <stdlib.h>. They are inputs of the program; seeds have no effect. */
#include <stdlib.h>
#include "loupe.h"

static int __loupe_random_number(void)
{
    int number = __loupe_input_int();
    __loupe_assume(number >= 0);
    return number;
}

/* From [0, 1), in steps of 2^-48. */
static double __loupe_random_fraction(void)
{
    unsigned long long number = __loupe_input_ulonglong();
    __loupe_assume(number < 1ULL << 48);
    return (double)number / (double)(1ULL << 48);
}

int rand(void)
{
    return __loupe_random_number();
}

void srand(unsigned int seed)
{
    (void)seed;
}

int rand_r(unsigned int *seed)
{
    *seed = __loupe_input_uint();
    return __loupe_random_number();
}

long random(void)
{
    return __loupe_random_number();
}

void srandom(unsigned int seed)
{
    (void)seed;
}

double drand48(void)
{
    return __loupe_random_fraction();
}

long lrand48(void)
{
    return __loupe_random_number();
}

long mrand48(void)
{
    return __loupe_input_int();
}

void srand48(long seed)
{
    (void)seed;
}

unsigned int arc4random(void)
{
    return __loupe_input_uint();
}

unsigned int arc4random_uniform(unsigned int bound)
{
    if (bound < 2)
        return 0;
    unsigned int number = __loupe_input_uint();
    __loupe_assume(number < bound);
    return number;
}
