extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), twos = 0, threes = 0, i;
    for (i = 0; i < n; i++) {
        if (i % 2 == 0) twos++;
        else threes++;
    }
    if (twos == 3 && threes == 3) reach_error();
    return 0;
}
