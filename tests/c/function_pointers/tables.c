// Arrays of functions, in structs and with several dimensions.
#include <stdio.h>

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

typedef int operation(int, int);

static operation *const table[2][2] = {{add, sub}, {mul, 0}};

struct object { int value; operation *act[2]; };

int main(void) {
    int r = 2;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (table[i][j])
                r = table[i][j](r, 5);
    printf("%d\n", r);
    struct object o = {3, {mul, add}};
    o.value = o.act[0](o.value, o.act[1](o.value, 4));
    printf("%d\n", o.value);
    operation **p = o.act;
    return (*p++)(3, 3) + (*p)(1, 1);
}
