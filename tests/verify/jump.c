// loupe verify
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0, y = 0;
    if (n < 1000000) return 0;
    for (int i = 0; i < n; i++) {
        if (i < 500000) x++;
        else y += 2;
    }
    if (x == 500000 && y > 1000000) reach_error();
    return 0;
}
