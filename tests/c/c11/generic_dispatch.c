// Functions picked by type.
#include <stdio.h>

static int of_int(int x) { return x * 2; }
static int of_double(double x) { return (int)(x * 10); }
static int of_text(const char *s) { return s[0]; }

#define DO(x) _Generic((x), double: of_double, char *: of_text, default: of_int)(x)

int main(void) {
    char letter = 3;
    printf("%d %d %d %d\n", DO(5), DO(2.5), DO("A"), DO(letter));
    return DO(21);
}
