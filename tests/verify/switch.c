// loupe verify
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a[10];
    int k = 0;
    while (1) {
        int x = __VERIFIER_nondet_int();
        if (x == 0) break;
        switch (x) {
        case 1: k++; break;
        case 2: k += 3; break;
        default: k--; break;
        }
        if (k == 7) reach_error();
    }
    return a[0];
}
