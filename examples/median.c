// The median of three numbers, and a proof that it is one: `loupe verify examples/median.c`.

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int median(int a, int b, int c)
{
    if (a > b) {
        int t = a;
        a = b;
        b = t;
    }
    if (c <= a)
        return a;
    return c < b ? c : b;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int c = __VERIFIER_nondet_int();
    int m = median(a, b, c);
    int at_most = (a <= m) + (b <= m) + (c <= m);
    int at_least = (a >= m) + (b >= m) + (c >= m);
    if (at_most < 2 || at_least < 2)
        reach_error();
    return 0;
}
