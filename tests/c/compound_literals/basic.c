// Literals of structs, arrays and scalars.
#include <stdio.h>

struct p { int x, y; };

static int sum(const int *a, int n) {
    int s = 0;
    while (n--)
        s += *a++;
    return s;
}

static int area(struct p p) { return p.x * p.y; }

int main(void) {
    printf("%d\n", area((struct p){3, 4}));
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    printf("%d\n", ((struct p){.y = 9}).y);
    printf("%d\n", (int[3]){5, 6}[1]);
    printf("%zu\n", sizeof(int[]){1, 2, 3});
    int n = (int){7} + *(&(int){8});
    printf("%d %s\n", n, (char[]){"text"});
    struct p a;
    a = (struct p){n, n + 1};
    return a.y;
}
