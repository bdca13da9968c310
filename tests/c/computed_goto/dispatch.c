// An interpreter that jumps through a table of labels.
#include <stdio.h>

static int run(const unsigned char *code) {
    static const void *const table[] = {&&halt, &&push, &&add, &&multiply, &&duplicate};
    int stack[16], *sp = stack;
    goto *table[*code++];
push:
    *sp++ = *code++;
    goto *table[*code++];
add:
    sp--;
    sp[-1] += *sp;
    goto *table[*code++];
multiply:
    sp--;
    sp[-1] *= *sp;
    goto *table[*code++];
duplicate:
    *sp = sp[-1];
    sp++;
    goto *table[*code++];
halt:
    return sp[-1];
}

int main(void) {
    unsigned char code[] = {1, 5, 4, 3, 1, 7, 2, 4, 2, 0};
    int r = run(code);
    printf("%d\n", r);
    return r;
}
