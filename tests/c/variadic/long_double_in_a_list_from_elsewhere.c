// A list of arguments that another function walks through, with numbers of every size.
#include <stdarg.h>
#include <stdio.h>

static void walk(int count, va_list list) {
    for (int i = 0; i < count; i++) {
        int number = va_arg(list, int);
        long double wide = va_arg(list, long double);
        printf("%d %Lg\n", number, wide);
    }
}

static void print(int count, ...) {
    va_list list;
    va_start(list, count);
    walk(count, list);
    va_end(list);
    va_start(list, count);
    vprintf("%d %Lg %d %Lg\n", list);
    va_end(list);
}

int main(void) {
    print(2, 1, 2.5L, 3, 4.5L);
    return 0;
}
