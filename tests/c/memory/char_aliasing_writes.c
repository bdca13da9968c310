// Writing one byte of a number and reading the whole.
#include <stdio.h>

static unsigned build(const unsigned char *bytes) {
    unsigned r;
    for (int i = 0; i < 4; i++)
        ((unsigned char *)&r)[i] = bytes[3 - i];
    return r;
}

int main(void) {
    unsigned char b[] = {0x12, 0x34, 0x56, 0x78};
    printf("%x\n", build(b));
    double d = 1.0;
    ((unsigned char *)&d)[7] |= 0x80;
    printf("%.1f\n", d);
    int a[2] = {0};
    char *p = (char *)a;
    for (int i = 0; i < 8; i++)
        p[i] = (char)i;
    printf("%x %x\n", a[0], a[1]);
    short *h = (short *)(void *)(p + 2);
    printf("%x\n", *h);
    return p[5];
}
