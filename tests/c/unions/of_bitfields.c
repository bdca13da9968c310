// Bit-fields laid over an integer.
#include <stdio.h>

union flags {
    unsigned all;
    struct { unsigned low : 4, mid : 8, : 4, high : 16; } part;
    struct { signed s : 4; unsigned rest : 28; } sign;
};

int main(void) {
    union flags f = {0xabcd1234};
    printf("%x %x %x\n", f.part.low, f.part.mid, f.part.high);
    f.part.mid = 0xff;
    printf("%x\n", f.all);
    f.all |= 8;
    printf("%d %x\n", f.sign.s, f.sign.rest);
    f.sign.s = 3;
    printf("%x\n", f.all);
    f.part.high++;
    printf("%x\n", f.all);
    return f.part.low;
}
