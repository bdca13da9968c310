// Counts down in steps of two. For an odd number it misses 0, wraps around, and never ends.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned left = __VERIFIER_nondet_uint();
    unsigned steps = 0;
    while (left != 0) {
        left -= 2;
        steps++;
    }
    return steps > 1000;
}
