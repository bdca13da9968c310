// _Noreturn functions end the program.
#include <stdio.h>
#include <stdlib.h>

static _Noreturn void fail(int code) {
    printf("failing with %d\n", code);
    exit(code);
}

static int checked(int x) {
    if (x < 10)
        return x;
    fail(x);
}

int main(void) {
    int sum = 0;
    for (int i = 8;; i++) {
        sum += checked(i);
        printf("%d\n", sum);
    }
}
