// A function pointer survives a trip through another function type and through void *.
#include <stdio.h>

static int f(int a, long long b) { return a + (int)b; }

int main(void) {
    void (*any)(void) = (void (*)(void))f;
    int (*g)(int, long long) = (int (*)(int, long long))any;
    printf("%d\n", g(1, 2));
    void *p = (void *)f;
    g = p;
    printf("%d %d\n", g(3, 4), p == (void *)f);
    return ((int (*)(int, long long))any)(20, 3);
}
