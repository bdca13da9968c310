// int, long long, double and pointers in turn.
#include <stdarg.h>
#include <stdio.h>

static double take(const char *kinds, ...) {
    double sum = 0;
    va_list args;
    va_start(args, kinds);
    while (*kinds)
        switch (*kinds++) {
        case 'i': sum += va_arg(args, int); break;
        case 'l': sum += (double)va_arg(args, long long); break;
        case 'd': sum += va_arg(args, double); break;
        case 'p': sum += *va_arg(args, int *); break;
        case 's': sum += va_arg(args, const char *)[0]; break;
        }
    va_end(args);
    return sum;
}

int main(void) {
    int x = 1000;
    double r = take("ilidpslididlsi", 1, 10000000000LL, 2, 0.5, &x, "A", -10000000000LL, 3, 0.25, 4, 0.125, 5LL, "B", 6);
    printf("%.3f\n", r);
    return (int)r & 127;
}
