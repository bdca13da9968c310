// Cleanups run when the scope ends, however it ends, in reverse order.
#include <stdio.h>

static int trace;

static void done(int *p) { trace = trace * 10 + *p; }
static void text(const char **p) { printf("%s ", *p); }

#define GUARD(name, v) __attribute__((cleanup(done))) int name = v

static int f(int how) {
    GUARD(a, 1);
    for (int i = 0; i < 3; i++) {
        GUARD(b, 2);
        if (how == 0)
            continue;
        if (how == 1)
            break;
        GUARD(c, 3);
        if (how == 2)
            return trace;
        if (how == 3)
            goto out;
        c = 4;
    }
out:
    a = 5;
    return trace;
}

int main(void) {
    for (int i = 0; i < 5; i++) {
        trace = 0;
        int r = f(i);
        printf("%d %d\n", r, trace);
    }
    {
        __attribute__((cleanup(text))) const char *x = "x";
        __attribute__((cleanup(text))) const char *y = "y";
        y = "z";
        printf("body ");
    }
    printf("\n");
    return trace & 127;
}
