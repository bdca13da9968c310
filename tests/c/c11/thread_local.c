// _Thread_local objects are like static ones for one thread.
#include <stdio.h>

static _Thread_local int n = 3;
_Thread_local int zero;

static int next(void) {
    static _Thread_local int calls;
    return ++calls * n;
}

int main(void) {
    zero += next();
    n++;
    zero += next();
    printf("%d\n", zero);
    return zero;
}
