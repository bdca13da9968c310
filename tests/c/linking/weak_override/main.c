// A strong definition wins over a weak one in another file.
#include <stdio.h>

int __attribute__((weak)) choice(void) { return 1; }
int __attribute__((weak)) alone(void) { return 7; }
int level(void);

int main(void) {
    printf("%d %d %d\n", choice(), alone(), level());
    return choice();
}
