// Each time the literal is reached it is initialised anew.
#include <stdio.h>

struct p { int x, y; };

static int use(struct p *p) { return p->x++ * 10 + p->y; }

int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        sum += use(&(struct p){i, 1});
        int *a = (int[4]){i};
        a[1] += i;
        sum += a[0] + a[1] + a[3];
        a[3] = 100;
    }
    printf("%d\n", sum);
    return sum & 127;
}
