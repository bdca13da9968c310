extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
    while (i < n) {
        if (sum > 100) break;
        sum += 3;
        i++;
    }
    if (i == 35) reach_error();
    return 0;
}
