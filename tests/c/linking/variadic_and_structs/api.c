#include "api.h"
#include <stdarg.h>

struct result collect(const char *kinds, ...) {
    struct result r = {0, 0};
    va_list args;
    va_start(args, kinds);
    for (; *kinds; kinds++, r.count++)
        r.sum += *kinds == 'i' ? va_arg(args, int) : va_arg(args, double);
    va_end(args);
    return r;
}

struct result merge(struct result a, struct result b) { return (struct result){a.count + b.count, a.sum + b.sum}; }
