// Fig. 1(c): a step that is an input. LINT is small here, so that sums of inputs can be seen.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int printf(const char *, ...);
enum { LINT = 6 };
int main(void) {
    int i = __VERIFIER_nondet_int();
    int k = __VERIFIER_nondet_int();
    while (i < LINT) {
        int j = __VERIFIER_nondet_int();
        if (!(1 <= j)) abort();
        if (!(j < LINT)) abort();
        i = i + j;
        k++;
    }
    printf("%d %d\n", i, k);
    return 0;
}
