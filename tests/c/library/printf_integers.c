// Every conversion of integers with flags, width and precision.
#include <stdio.h>

int main(void) {
    int v[] = {0, 1, -1, 42, 123456, -2147483647 - 1};
    int n = 0;
    for (int i = 0; i < 6; i++) {
        n += printf("[%d] [%i] [%u] [%o] [%x] [%X]\n", v[i], v[i], (unsigned)v[i], (unsigned)v[i], (unsigned)v[i],
                    (unsigned)v[i]);
        n += printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.4d] [%-8.4d] [%+08d]\n", v[i], v[i], v[i], v[i], v[i],
                    v[i], v[i], v[i], v[i]);
        n += printf("[%#x] [%#o] [%#10x] [%-#10X] [%#010x] [%.0d]\n", (unsigned)v[i], (unsigned)v[i], (unsigned)v[i],
                    (unsigned)v[i], (unsigned)v[i], v[i]);
    }
    printf("%d\n", n);
    return n & 127;
}
