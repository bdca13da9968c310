// The type of ?: comes from both sides, not from the chosen one.
#include <stdio.h>

int main(void) {
    int yes = 1;
    unsigned u = 1;
    printf("%d\n", (yes ? -1 : u) > 0);
    printf("%d\n", (yes ? -1 : 1) > 0);
    printf("%zu\n", sizeof(yes ? 'a' : (char)1));
    printf("%zu\n", sizeof(yes ? 1 : 1LL));
    printf("%lld\n", yes ? (signed char)-3 : 0LL);
    printf("%.1f\n", yes ? 3 : 1.0);
    unsigned char c = 200;
    printf("%d\n", (yes ? c : (signed char)0) + 100);
    int value = 7, *p = yes ? &value : 0;
    void *v = yes ? p : (void *)0;
    printf("%d %d\n", *p, v == p);
    return yes ? 11 : u;
}
