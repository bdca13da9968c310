/* Counts the ones among the numbers from the fourth on. */
extern int __VERIFIER_nondet_int(void);

int numbers[100];

int main(void)
{
    int n = __VERIFIER_nondet_int(), ones = 0;
    if (n < 0 || n > 100)
        return 0;
    for (int i = 0; i < 100; i++)
        numbers[i] = __VERIFIER_nondet_int();
    for (int i = 3; i < n; i++)
        if (numbers[i] == 1)
            ones++;
    if (ones > 97)
        return 2;
    if (ones > 12)
        return 1;
    return 3;
}
