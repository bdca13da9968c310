// Three sorts that must agree.
#include <stdio.h>

static void bubble(int *a, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

static void insert(int a[], int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v)
            a[j] = a[j - 1], j--;
        a[j] = v;
    }
}

static void quick(int *low, int *high) {
    if (high - low < 2)
        return;
    int *i = low, *j = high - 1, pivot = low[(high - low) / 2];
    while (i <= j) {
        while (*i < pivot)
            i++;
        while (*j > pivot)
            j--;
        if (i <= j) {
            int t = *i;
            *i++ = *j;
            *j-- = t;
        }
    }
    quick(low, j + 1);
    quick(i, high);
}

int main(void) {
    int a[20], b[20], c[20];
    unsigned seed = 12345;
    for (int i = 0; i < 20; i++)
        a[i] = b[i] = c[i] = (int)((seed = seed * 1103515245u + 12345) >> 16 & 0xff) - 128;
    bubble(a, 20);
    insert(b, 20);
    quick(c, c + 20);
    int same = 1;
    for (int i = 0; i < 20; i++)
        printf("%d ", a[i]), same &= a[i] == b[i] && b[i] == c[i];
    printf("\n%d\n", same);
    return a[10] & 127;
}
