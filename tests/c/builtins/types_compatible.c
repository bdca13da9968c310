// Types are compatible without their top qualifiers; enums and ints differ from long.
#include <stdio.h>

enum e { A };
struct s { int x; };
struct t { int x; };
typedef int number;

#define SAME(a, b) printf("%d ", __builtin_types_compatible_p(a, b))

int main(void) {
    SAME(int, number);
    SAME(int, const int);
    SAME(int, unsigned);
    SAME(int, long);
    SAME(char, signed char);
    SAME(int *, const int *);
    SAME(int[], int[5]);
    SAME(int[4], int[5]);
    SAME(struct s, struct t);
    SAME(int (*)(int), int (*)(number));
    SAME(enum e, enum e);
    SAME(short, short int);
    SAME(long, long int);
    SAME(__typeof__(1 + 'a'), int);
    printf("\n");
    return __builtin_types_compatible_p(double, double);
}
