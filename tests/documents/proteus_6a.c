// Fig. 6(a): the `nondet` of its condition is an early exit.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int printf(const char *, ...);
int main(void) {
    int m = __VERIFIER_nondet_int();
    int n = __VERIFIER_nondet_int();
    if (!(0 < m && m < n)) abort();
    int i = 0, j = 0;
    while (i < n) {
        if (!__VERIFIER_nondet_int()) break;
        if (j < m) {
            j++;
        } else {
            j = 0;
            i++;
        }
    }
    printf("%d %d\n", i, j);
    return 0;
}
