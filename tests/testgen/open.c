/* Ends that gcc need not agree with: none, and what depends on a value that nobody has written. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 1)
        for (;;)
            ;
    if (n == 2) {
        int x;
        if (x == 17)
            return 3;
    }
    return n == 3;
}
