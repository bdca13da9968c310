// A pointer to a static local stays valid.
#include <stdio.h>
#include <string.h>

static char *buffer(const char *s) {
    static char text[16];
    strcpy(text, s);
    return text;
}

static int *cell(int i) {
    static int cells[3] = {1, 2, 3};
    return &cells[i];
}

int main(void) {
    char *a = buffer("first"), *b = buffer("second");
    printf("%s %s %d\n", a, b, a == b);
    *cell(1) += 40;
    printf("%d %d\n", *cell(1), cell(0)[2]);
    return *cell(1);
}
