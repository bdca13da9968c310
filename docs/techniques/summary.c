extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int goal = __VERIFIER_nondet_int(), x = 0, y = goal;
    if (goal < 0) return 0;
    while (x < goal) {
        x++;
        y--;
    }
    if (y != 0) reach_error();
    return 0;
}
