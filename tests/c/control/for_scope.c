// The variable of a for lives in its own scope, and the body has another.
#include <stdio.h>

int main(void) {
    int i = 100, n = 0;
    for (int i = 0; i < 3; i++) {
        n += i;
        int i = 50;
        n += i++;
    }
    printf("%d %d\n", i, n);
    for (int a = 1, b = 10; a < b; a *= 2, b -= 1)
        n += a * b;
    printf("%d\n", n);
    for (struct { int x, y; } p = {0, 3}; p.x < p.y; p.x++)
        n += p.y;
    printf("%d\n", n);
    return n & 127;
}
