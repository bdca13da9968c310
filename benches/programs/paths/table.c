/* Reads and writes at unknown indices. */
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int table[8] = {0}, hits = 0;
    for (int round = 0; round < 6; round++) {
        int at = __VERIFIER_nondet_int();
        if (at < 0 || at >= 8)
            return 1;
        if (table[at])
            hits++;
        table[at] = 1;
    }
    return hits;
}
