// Labels in front of null statements at the end of blocks.
#include <stdio.h>

int main(void) {
    int n = 0;
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 5; j++) {
            if (j == i)
                goto next;
            if (i == 3)
                goto done;
            n++;
        }
    next:;
    }
done:
    printf("%d\n", n);
    {
        if (n)
            goto end;
        n = 100;
    end:;
    }
    return n;
}
