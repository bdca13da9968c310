// fails: invalid-access 12
#include <alloca.h>

static int *make(int n) {
    int *p = alloca(n * sizeof *p);
    p[0] = n;
    return p;
}

int main(void) {
    int *p = make(3);
    return p[0];
}
