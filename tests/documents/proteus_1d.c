// Fig. 1(d): inputs choose one of three paths.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
int printf(const char *, ...);
int main(void) {
    unsigned int x1 = __VERIFIER_nondet_uint();
    unsigned int x2 = __VERIFIER_nondet_uint();
    unsigned int x3 = __VERIFIER_nondet_uint();
    _Bool c1 = __VERIFIER_nondet_bool();
    _Bool c2 = __VERIFIER_nondet_bool();
    while (x1 > 0 && x2 > 0 && x3 > 0) {
        if (c1)
            x1 = x1 - 1;
        else if (c2)
            x2 = x2 - 1;
        else
            x3 = x3 - 1;
        c1 = __VERIFIER_nondet_bool();
        c2 = __VERIFIER_nondet_bool();
    }
    printf("%u %u %u %d %d\n", x1, x2, x3, c1, c2);
    if (!(x1 == 0 || x2 == 0 || x3 == 0))
        reach_error();
    return 0;
}
