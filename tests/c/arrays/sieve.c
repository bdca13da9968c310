// The sieve of Eratosthenes in bytes and in bits.
#include <stdio.h>

static unsigned char bytes[200];
static unsigned bits[200 / 32 + 1];

int main(void) {
    int n = 0, last = 0;
    for (int i = 2; i < 200; i++) {
        if (bytes[i])
            continue;
        n++, last = i;
        for (int j = i * i; j < 200; j += i) {
            bytes[j] = 1;
            bits[j / 32] |= 1u << j % 32;
        }
    }
    int same = 1;
    for (int i = 2; i < 200; i++)
        same &= bytes[i] == (bits[i >> 5] >> (i & 31) & 1);
    printf("%d %d %d %x\n", n, last, same, bits[1]);
    return n;
}
