extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int count = 0;
    if (__VERIFIER_nondet_int() > 0) count++;
    if (__VERIFIER_nondet_int() > 1) count++;
    if (__VERIFIER_nondet_int() > 2) count++;
    if (count > 3) reach_error();
    return 0;
}
