/* Cheap branches on independent inputs. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int r = 0;
    for (int i = 0; i < 13; i++) {
        int x = __VERIFIER_nondet_int();
        if (x > i)
            r += 1;
        else
            r -= 1;
    }
    return r;
}
