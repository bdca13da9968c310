// loupe verify
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), s = 0;
    if (n < 1 || n > 50) return 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            s += 1;
    if (s == 45) reach_error();
    return 0;
}
