#include <stdio.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
static int classify(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0) return 0;
    if (a > 1000 || b > 1000 || c > 1000) return 0;
    if (a + b <= c || a + c <= b || b + c <= a) return 1;
    if (a == b && b == c) return 4;
    if (a == b || b == c || a == c) return 3;
    return 2;
}
int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    int k = classify(a, b, c);
    switch (__VERIFIER_nondet_uchar()) {
    case 'a': k += 10; break;
    case 'b': case 'c': k += 20; break;
    default: break;
    }
    if (k == 24) reach_error();
    printf("%d\n", k);
    return k;
}
