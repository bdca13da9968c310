// What may stand in an initialiser of a static object.
#include <stdio.h>

enum { N = 3 };
static int a = N * 2 + sizeof(int[N]);
static unsigned b = ~0u >> 4;
static double c = 1.0 / 4 + N;
static int d = (int)2.9 + 'a' % 7;
static long long e = (long long)1 << 40 | 1;
static int f = sizeof(struct { char x[5]; }) == 5 ? 10 : 20;
static const int g = -5 >> 1;
static char h[N + 1] = {[N] = 'z'};
static int i = !N + !!N + (N && 0 || N > 2);

int main(void) {
    printf("%d %u %.2f %d %lld %d %d %c %d\n", a, b, c, d, e, f, g, h[3], i);
    return a;
}
