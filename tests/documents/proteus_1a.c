// Fig. 1(a): two paths that take turns.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int printf(const char *, ...);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    while (x < n)
        if (z > x)
            x++;
        else
            z++;
    printf("%d %d\n", x, z);
    if (x != z)
        reach_error();
    return 0;
}
