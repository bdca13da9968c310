// A declaration in front of the first case gives a name; its initialiser never runs.
#include <stdio.h>

static int f(int x) {
    switch (x) {
        int t = 5;
    case 1:
        t = 10;
        return t;
    case 2:
        t = 20;
        t++;
        return t;
    }
    return 0;
}

int main(void) {
    printf("%d %d %d\n", f(1), f(2), f(3));
    return f(1) + f(2);
}
