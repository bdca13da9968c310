// Without break the next case runs, default included, wherever it stands.
#include <stdio.h>

static int f(int x) {
    int r = 0;
    switch (x) {
    case 0: r += 1;
    default: r += 2;
    case 1: r += 4;
    case 2:
    case 3: r += 8; break;
    case 4: r += 16;
    }
    return r;
}

int main(void) {
    int sum = 0;
    for (int i = -1; i < 6; i++) {
        printf("%d ", f(i));
        sum += f(i);
    }
    printf("\n");
    return sum;
}
