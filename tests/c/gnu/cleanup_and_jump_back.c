// A jump back to a label in the same block leaves the range of what is declared behind the label.
#include <stdio.h>

static void done(int *object) { printf("%d ", *object); }

static int loop(int count) {
    int first __attribute__((cleanup(done))) = 1;
    int turns = 0;
again:;
    int second __attribute__((cleanup(done))) = 100 + turns;
    {
        int inner __attribute__((cleanup(done))) = 200 + turns;
        if (turns++ < count)
            goto again;
    }
    if (turns++ < count + 2)
        goto again;
    return second;
}

int main(void) {
    printf("%d\n", loop(2));
    printf("%d\n", loop(0));
    return 0;
}
