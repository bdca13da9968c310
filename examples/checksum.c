// Reads a message, byte by byte, and adds its bytes up. Is there a message with this checksum and this last byte?
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
    unsigned length = __VERIFIER_nondet_uchar(), sum = 0;
    unsigned char last = 0;
    for (unsigned i = 0; i < length; i++) {
        last = __VERIFIER_nondet_uchar();
        sum += last;
    }
    if (sum == 12345 && last == 77) reach_error();
    return 0;
}
