// Fig. 1(f): four paths in a fixed order, left by an input.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int printf(const char *, ...);
int main(void) {
    int s = 1, x1 = 0, x2 = 0;
    while (__VERIFIER_nondet_int()) {
        if (s == 1)
            x1++;
        else if (s == 2)
            x2++;
        s++;
        if (s == 5)
            s = 1;
        if (s == 1 && x1 != x2)
            reach_error();
    }
    printf("%d %d %d\n", s, x1, x2);
    return 0;
}
