// loupe verify --loops invariants
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int i = 0;
    while (i < n) {
        if (__VERIFIER_nondet_int()) i++;
    }
    if (i < 0) reach_error();
    return 0;
}
