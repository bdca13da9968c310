#include <part.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (part(n) == LIMIT)
        return 1;
    return 0;
}
