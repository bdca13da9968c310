// Structs of bit-fields in arrays, assigned and passed.
#include <stdio.h>

struct date { unsigned day : 5, month : 4, year : 12; };

static int days(struct date d) {
    d.day += 1;
    return d.day + d.month * 31 + d.year * 372;
}

static struct date next(struct date d) {
    if (++d.day == 0)
        d.day = 1, d.month++;
    return d;
}

int main(void) {
    struct date a[3] = {{31, 12, 1999}, {1, 1, 2000}}, *p = a;
    a[2] = next(a[0]);
    p[1].month += 15;
    printf("%d %d %d\n", a[2].day, a[2].month, a[2].year);
    printf("%d %d\n", a[1].month, a[1].day);
    printf("%d %d\n", days(a[0]), a[0].day);
    return next(a[1]).day + a[2].month;
}
