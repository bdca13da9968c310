// #if with arithmetic, defined, nested and elif.
#include <stdio.h>

#define A 3
#define B
#undef C
#define F(x) x

#if A > 2 && defined(B) && !defined C
#define R1 1
#else
#error wrong
#endif

#if A == 1
#error wrong
#elif A == 3
#if 0
#error wrong
#else
#define R2 2
#endif
#elif 1 / 0
#error skipped, and not evaluated
#else
#error wrong
#endif

#if -1 > 0u
#define R3 3
#endif
#if UNKNOWN == 0 && F(1) && 'a' == 97 && 0x10 == 16 && (1 ? 2 : 3) == 2
#define R4 4
#endif
#if (2 || 1 / 0) && !(0 && 1 / 0)
#define R5 5
#endif
#ifdef B
#ifndef C
#define R6 6
#endif
#endif
#if 0
this is not even C ' "
#else
#define R7 7
#endif

int main(void) {
    printf("%d%d%d%d%d%d%d\n", R1, R2, R3, R4, R5, R6, R7);
    return R1 + R7;
}
