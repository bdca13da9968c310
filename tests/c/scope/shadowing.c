// Inner names hide outer ones until their block ends.
#include <stdio.h>

static int x = 1;

static int f(int x) {
    int r = x;
    {
        int x = 20;
        r += x;
        {
            extern int visible;
            int x = 300;
            r += x + visible;
        }
        r += x;
    }
    return r + x;
}

int visible = 4000;

int main(void) {
    printf("%d\n", f(5));
    int y = x;
    int x = 7;
    printf("%d %d\n", x, y);
    if (x) {
        int x = 8;
        y += x;
    }
    for (int x = 0; x < 3; x++)
        y += x;
    while (x) {
        int y = x--;
        (void)y;
    }
    return y;
}
