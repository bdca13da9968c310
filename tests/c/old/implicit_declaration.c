// std: gnu89
// A function is called before anything is known of it.
#include <stdio.h>

int main() {
    int r = later(5, 6);
    printf("%d\n", r);
    printf("%d\n", also(r));
    return r;
}

int later(int a, int b) { return a * b; }

also(x) int x; { return x - 1; }
