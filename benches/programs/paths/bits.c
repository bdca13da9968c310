/* Branches on the digits of one input, which depend on each other. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    int r = 0;
    if (x < 0 || x >= 729)
        return 1;
    while (x > 0) {
        int digit = x % 3;
        if (digit == 0)
            r += 1;
        else if (digit == 1)
            r += 2;
        else
            r -= 1;
        x /= 3;
    }
    return r;
}
