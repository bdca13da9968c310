// std: gnu89
// () says nothing about the parameters.
#include <stdio.h>

static int one();
static int (*table[])() = {one, one};

int main() {
    int (*f)() = one;
    printf("%d %d\n", f(3), table[1](4));
    return f(5);
}

static int one(int x) { return x * x; }
