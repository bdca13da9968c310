// String literals that are shorter, longer and exactly as long as their array.
#include <stdio.h>

static char shorter[8] = "abc";
static char exact[3] = "abc";
static char cut[2][3] = {"ab", "cde"};
static const char *const table[] = {"one", "two", [4] = "five"};
static struct { char name[4]; int n; } s[] = {{"xyz", 1}, {{'q'}, 2}, {"", 3}};

int main(void) {
    printf("%s %d %d\n", shorter, shorter[3], shorter[7]);
    printf("%.3s %zu\n", exact, sizeof exact);
    printf("%.2s %.3s\n", cut[0], cut[1]);
    printf("%s %d %s\n", table[1], table[2] == 0, table[4]);
    printf("%s %s %d\n", s[0].name, s[1].name, s[2].name[0]);
    char local[5] = "hi";
    local[1] = 'o';
    printf("%s %d\n", local, local[4]);
    return sizeof table / sizeof *table;
}
