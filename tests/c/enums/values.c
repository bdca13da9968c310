// Enumerators count up from the last value, may repeat and may be negative.
#include <stdio.h>

enum e { A, B = 10, C, D = -5, E, F = C, G, H = 'x', I = sizeof(int), J = B | 4 };

int main(void) {
    printf("%d %d %d %d %d %d %d %d %d %d\n", A, B, C, D, E, F, G, H, I, J);
    printf("%d\n", C == F);
    enum { LAST = J * 2, BIG = 0x7fffffff };
    printf("%d %d\n", LAST, BIG);
    return G;
}
