// Objects of static storage are zero, whatever their type is.
#include <stdio.h>

static int a[100];
static struct { char c; double d; int *p; struct { _Bool b; } in[3]; } s;
static char *text;
static float f;
static int (*function)(void);

int main(void) {
    static union { long long w; char c[16]; } u;
    static int matrix[3][3];
    int sum = 0;
    for (int i = 0; i < 100; i++)
        sum += a[i];
    printf("%d %d %d %d %d\n", sum, s.c, s.d == 0, s.p == 0, s.in[2].b);
    printf("%d %d %d %lld %d\n", text == 0, f == 0, function == 0, u.w, matrix[2][2]);
    return sum + 3;
}
