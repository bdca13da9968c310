// void * goes to and from everything without a cast; GNU C moves it in bytes.
#include <stdio.h>

static void swap(void *a, void *b, int size) {
    unsigned char *p = a, *q = b;
    while (size--) {
        unsigned char t = *p;
        *p++ = *q;
        *q++ = t;
    }
}

int main(void) {
    int x = 5, y = 9;
    double d = 1.5, e = 2.5;
    swap(&x, &y, sizeof x);
    swap(&d, &e, sizeof d);
    printf("%d %d %.1f %.1f\n", x, y, d, e);
    int a[4] = {1, 2, 3, 4};
    void *v = a;
    v += sizeof(int) * 2;
    int *p = v;
    printf("%d %d\n", *p, (int)(v - (void *)a));
    printf("%zu\n", sizeof(void));
    return *(int *)(v + 4);
}
