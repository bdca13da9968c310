// Enumerations are integers: count, index, mask.
#include <stdio.h>

enum day { MON, TUE, WED, THU, FRI, SAT, SUN, DAYS };
enum flag { READ = 1, WRITE = 2, EXEC = 4, ALL = READ | WRITE | EXEC };

static const char *names[DAYS] = {[MON] = "mon", [WED] = "wed", [SUN] = "sun"};

int main(void) {
    int n = 0;
    for (enum day d = MON; d < DAYS; d++)
        n += names[d] ? d : 0;
    printf("%d\n", n);
    enum day d = FRI;
    d = (d + 4) % DAYS;
    printf("%d\n", d++ == TUE);
    enum flag f = ALL & ~WRITE;
    printf("%d %d\n", f, f & WRITE);
    f |= WRITE;
    f ^= READ;
    return f * 10 + d;
}
