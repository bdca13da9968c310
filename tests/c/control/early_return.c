// A return leaves all loops and blocks at once.
#include <stdio.h>

static int find(const int *a, int n, int what) {
    for (int i = 0; i < n; i++) {
        switch (a[i] == what) {
        case 1: {
            do {
                while (1)
                    return i;
            } while (1);
        }
        }
    }
    return -1;
}

static void nothing(int *p) {
    if (*p)
        return;
    *p = 5;
}

int main(void) {
    int a[] = {4, 8, 15, 16, 23, 42};
    printf("%d %d %d\n", find(a, 6, 4), find(a, 6, 42), find(a, 6, 5));
    int x = 0;
    nothing(&x);
    nothing(&x);
    printf("%d\n", x);
    return find(a, 6, 23);
}
