// Wide numbers among others, fetched from a list that another function started.
#include <stdarg.h>
#include <stdio.h>

static long double sum(const char *kinds, va_list list)
{
    long double total = 0;
    for (; *kinds; kinds++) {
        if (*kinds == 'L')
            total += va_arg(list, long double);
        else if (*kinds == 'd')
            total += va_arg(list, double);
        else
            total += va_arg(list, int);
    }
    return total;
}

static int show(const char *kinds, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int count = printf("%.3Lf: ", sum(kinds, list));
    va_end(list);
    count += vprintf(format, again);
    va_end(again);
    return count;
}

int main(void)
{
    printf(" %d\n", show("L", "%.2Lf", 1.25L));
    printf(" %d\n", show("iL", "%d %.2Lf", 3, 1.25L));
    printf(" %d\n", show("iLdL", "%d %.2Lf %.1f %.3Lf", 3, 1.25L, 0.5, -2.125L));
    printf(" %d\n", show("LiLi", "%.1Lf %d %.1Lf %d", 4.5L, 1, 5.5L, 2));
    return 0;
}
