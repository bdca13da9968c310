// Leading and trailing zeros, ones, parity, first set bit.
#include <stdio.h>

int main(void) {
    unsigned v[] = {1, 2, 0x80000000u, 0xffffffffu, 0x00ff0100u, 12345};
    int sum = 0;
    for (int i = 0; i < 6; i++) {
        printf("%d %d %d %d %d\n", __builtin_clz(v[i]), __builtin_ctz(v[i]), __builtin_popcount(v[i]),
               __builtin_parity(v[i]), __builtin_ffs((int)v[i]));
        sum += __builtin_clz(v[i]) * 3 + __builtin_ctz(v[i]);
    }
    unsigned long long w = 0x0000f00000000000ULL;
    printf("%d %d %d %d %d\n", __builtin_clzll(w), __builtin_ctzll(w), __builtin_popcountll(w), __builtin_parityll(w),
           __builtin_ffsll((long long)w));
    printf("%d %d\n", __builtin_ffs(0), __builtin_popcount(0));
    printf("%d %d\n", __builtin_clrsb(0), __builtin_clrsb(-2));
    return sum & 127;
}
