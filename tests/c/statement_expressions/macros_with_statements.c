// The macros of kernels.
#include <stdio.h>

#define SWAP(a, b) ({ __typeof__(a) t_ = (a); (a) = (b); (b) = t_; })
#define CLAMP(v, lo, hi) ({ __typeof__(v) v_ = (v); v_ < (lo) ? (lo) : v_ > (hi) ? (hi) : v_; })
#define ONCE(e) ({ static int done; int r_ = done ? -1 : (e); done = 1; r_; })
#define COUNT(a) (sizeof(a) / sizeof *(a))

static int calls;
static int f(void) { return ++calls; }

int main(void) {
    int x = 1, y = 2;
    SWAP(x, y);
    printf("%d %d\n", x, y);
    printf("%d %d %d\n", CLAMP(5, 1, 3), CLAMP(-5, 1, 3), CLAMP(2, 1, 3));
    printf("%d ", CLAMP(f(), 0, 100));
    printf("%d\n", calls);
    for (int i = 0; i < 3; i++)
        printf("%d ", ONCE(f() * 10));
    printf("%d\n", calls);
    int a[] = {1, 2, 3};
    return (int)COUNT(a) + calls;
}
