// More parameters than any machine has registers, of all types.
#include <stdio.h>

static long long all(char a, short b, int c, long long d, unsigned char e, unsigned short f, unsigned g,
                     unsigned long long h, float i, double j, _Bool k, int *l, const char *m, int n, int o, double p,
                     long long q) {
    return a + b + c + d + e + f + g + (long long)h + (int)i + (int)j + k + *l + m[1] + n * o + (int)p - q;
}

int main(void) {
    int x = 40;
    long long r = all(-1, -2, -3, -4, 255, 65535, 4000000000u, 1ULL << 40, 1.5f, 2.5, 9, &x, "abc", 6, 7, 8.9, 1);
    printf("%lld\n", r);
    return (int)(r & 127);
}
