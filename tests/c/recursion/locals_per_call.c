// Every call has its own locals, and pointers to those of the callers work.
#include <stdio.h>

static int collect(int n, int *outer) {
    int mine = n * n;
    if (n > 0) {
        int local = collect(n - 1, &mine);
        *outer += mine;
        return local + mine;
    }
    *outer += 1000;
    return mine;
}

int main(void) {
    int top = 0;
    int r = collect(5, &top);
    printf("%d %d\n", r, top);
    return r & 127;
}
