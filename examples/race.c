// Two runners: x waits for z whenever z is not ahead. Whoever starts where, both end at the goal.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int goal = __VERIFIER_nondet_int();
    int x = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    if (z >= goal || x >= goal) return 0;
    while (x < goal) {
        if (z > x) x++;
        else z++;
    }
    if (x != goal || z != goal) reach_error();
    return 0;
}
