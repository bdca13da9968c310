// Constructors run before main, destructors after it.
#include <stdio.h>

static int ready;

static void __attribute__((constructor)) setup(void) { ready += 5; }
static void __attribute__((constructor(200))) early(void) { ready = 100; }
static void __attribute__((destructor)) teardown(void) { printf("after %d\n", ready); }

int main(void) {
    printf("main %d\n", ready);
    ready++;
    return ready;
}
