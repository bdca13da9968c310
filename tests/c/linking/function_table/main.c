// A table of functions that are defined in several files.
#include <stdio.h>

typedef int operation(int, int);
operation add, subtract, multiply;
static operation *const table[] = {add, subtract, multiply};
extern operation *const fallback;

int main(void) {
    int r = 10;
    for (int i = 0; i < 3; i++)
        r = table[i](r, i + 2);
    printf("%d %d\n", r, fallback == multiply);
    return fallback(r, 2);
}
