// An array as a parameter is a pointer, whatever its brackets say.
#include <stdio.h>

static int first(int a[10]) { return sizeof(a) == sizeof(int *) ? a[0] : -1; }
static int at(int a[static 2], int i) { return a[i]; }
static int sum(int n, const int a[const]) {
    int s = 0;
    while (n--)
        s += a[n];
    return s;
}
static int rows(int a[][3], int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s = s * 10 + a[i][1];
    return s;
}
static void shift(int a[]) { a++, a[0] = 99; }

int main(void) {
    int a[] = {5, 6, 7}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %d %d %d\n", first(a), at(a, 2), sum(3, a), rows(m, 2));
    shift(a);
    printf("%d %d\n", a[0], a[1]);
    return sum(2, a);
}
