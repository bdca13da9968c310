// Arguments are expanded before they are put in, the result again; a name without ( is no call.
#include <stdio.h>

static int F(void) { return 1; }
static int INC(int x) { return x + 100; }

#define SQUARE(x) x * x
#define SAFE(x) ((x) * (x))
#define TWICE(m, x) m(m(x))
#define INC(x) ((x) + 1)
#define EMPTY()
#define ID(x) x
#define F() 7
#define PAREN (3)

int main(void) {
    printf("%d %d\n", SQUARE(1 + 2), SAFE(1 + 2));
    printf("%d\n", TWICE(INC, 5));
    printf("%d %d %d\n", INC PAREN, (INC)(3), ID(INC)(3));
    printf("%d\n", INC
           (4));
    printf("%d EMPTY() %d\n", F EMPTY() (), F());
    printf("%d\n", ID(F EMPTY() ()));
    int ID = 4;
    printf("%d %d\n", ID, ID(ID));
    printf("%d\n", ID((1, 2)) ID(+ 3));
    return SAFE(SAFE(2));
}
