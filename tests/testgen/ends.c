/* Ways to end. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void)
{
    int how = __VERIFIER_nondet_int();
    int other = __VERIFIER_nondet_int();
    __VERIFIER_assume(other != 5);
    puts("before");
    switch (how) {
    case 1: reach_error(); break;
    case 2: assert(other == 0); break;
    case 3: abort();
    case 4: exit(77);
    case 5: return 100 / other;
    default: break;
    }
    return 0;
}
