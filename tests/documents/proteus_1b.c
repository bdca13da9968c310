// Fig. 1(b): connected cycles.
extern int __VERIFIER_nondet_int(void);
int printf(const char *, ...);
int main(void) {
    int i = __VERIFIER_nondet_int();
    int j = __VERIFIER_nondet_int();
    int a = __VERIFIER_nondet_int();
    while (i < 100) {
        if (a <= 5)
            a++;
        else
            a -= 4;
        if (j < 8)
            j++;
        else
            j -= 3;
        i++;
    }
    printf("%d %d %d\n", i, j, a);
    return 0;
}
