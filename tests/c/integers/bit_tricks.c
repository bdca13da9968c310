// Population counts, reversal, powers of two and rotation written out.
#include <stdio.h>

static unsigned rotate(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

static unsigned reverse(unsigned x) {
    x = x >> 16 | x << 16;
    x = (x & 0xff00ff00u) >> 8 | (x & 0x00ff00ffu) << 8;
    x = (x & 0xf0f0f0f0u) >> 4 | (x & 0x0f0f0f0fu) << 4;
    x = (x & 0xccccccccu) >> 2 | (x & 0x33333333u) << 2;
    return (x & 0xaaaaaaaau) >> 1 | (x & 0x55555555u) << 1;
}

static int ones(unsigned x) {
    int n = 0;
    for (; x; x &= x - 1)
        n++;
    return n;
}

int main(void) {
    unsigned x = 0x80f00d01u;
    printf("%x %x %x\n", rotate(x, 0), rotate(x, 12), rotate(x, 33));
    printf("%x %d\n", reverse(x), ones(x));
    printf("%d %d\n", (x & -x) == 1, !(64 & 63));
    int a = -5, mask = a >> 31;
    printf("%d\n", (a ^ mask) - mask);
    int p = 3, q = 9;
    p ^= q, q ^= p, p ^= q;
    printf("%d %d\n", p, q);
    return ones(reverse(x) ^ x);
}
