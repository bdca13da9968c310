// Loops, returns and jumps inside of statement expressions.
#include <stdio.h>

static int first_even(const int *a, int n) {
    int i = ({
        int k;
        for (k = 0; k < n; k++)
            if (a[k] % 2 == 0)
                break;
        if (k == n)
            return -1;
        k;
    });
    return a[i];
}

int main(void) {
    int a[] = {3, 5, 8, 9}, b[] = {1};
    printf("%d %d\n", first_even(a, 4), first_even(b, 1));
    int n = 0;
    for (int i = 0; i < 5; i++)
        n += ({ if (i == 3) continue; i * i; });
    printf("%d\n", n);
    while (({ n--; n > 10; }))
        ;
    printf("%d\n", n);
    int r = ({ int s = 0; switch (n) { case 10: s = 4; break; default: s = 5; } s; });
    n += ({ goto out; 5; });
out:
    return n * r;
}
