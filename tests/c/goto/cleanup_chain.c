// The idiom of kernels: undo in the reverse order.
#include <stdio.h>

static int try(int fail_at) {
    int trace = 0, r = -1;
    trace = trace * 10 + 1;
    if (fail_at == 1)
        goto none;
    trace = trace * 10 + 2;
    if (fail_at == 2)
        goto one;
    trace = trace * 10 + 3;
    if (fail_at == 3)
        goto two;
    r = 0;
two:
    trace = trace * 10 + 7;
one:
    trace = trace * 10 + 8;
none:
    trace = trace * 10 + 9;
    return r ? -trace : trace;
}

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        printf("%d\n", try(i));
        sum += try(i);
    }
    return sum & 127;
}
