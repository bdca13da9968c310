// Every case, the default, and a value that no case has.
#include <stdio.h>

static int f(int x) {
    switch (x) {
    case 1: return 10;
    case 2: return 20;
    case -3: return 30;
    default: return 40;
    case 100: return 50;
    }
}

static int g(int x) {
    int r = 1;
    switch (x) {
    case 5: r = 2; break;
    case 6: r = 3;
    }
    return r;
}

int main(void) {
    int sum = 0;
    for (int i = -4; i < 4; i++)
        sum = sum * 3 + f(i);
    printf("%d %d\n", sum, f(100));
    printf("%d %d %d\n", g(5), g(6), g(7));
    return sum & 127;
}
