// Order and equality inside of an array, with one past its end.
#include <stdio.h>

int main(void) {
    int a[5] = {0};
    int *begin = a, *end = a + 5, *p;
    int n = 0;
    for (p = begin; p < end; p++)
        *p = n++;
    for (p = end; p-- > begin;)
        n = n * 2 + *p;
    printf("%d\n", n);
    printf("%d %d %d %d\n", begin < end, begin >= end, &a[2] <= &a[2], a + 1 != &a[1]);
    int *null = 0;
    printf("%d %d %d\n", null == 0, begin == null, !null);
    int other;
    printf("%d\n", &other == a);
    return n & 127;
}
