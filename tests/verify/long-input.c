// loupe verify
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 2000; i++)
        sum += __VERIFIER_nondet_uchar();
    if (sum == 509000) reach_error();
    return 0;
}
