// Attributes that change nothing.
#include <stdio.h>

__attribute__((noinline, cold)) static int f(int x __attribute__((unused)), int y) { return y; }
static int pure(int) __attribute__((const, warn_unused_result));
static int pure(int x) { return x + 1; }
typedef int number __attribute__((may_alias));
struct __attribute__((deprecated)) s;
enum e { A __attribute__((unused)), B };
static int __attribute__((used)) kept = 3;
static void log_it(const char *, ...) __attribute__((format(printf, 1, 2)));
static void log_it(const char *s, ...) { printf("%s", s); }

int main(void) {
    number n = f(1, 2);
    switch (n) {
    case 2:
        n += pure(B);
        __attribute__((fallthrough));
    case 3: n += kept;
    }
    log_it("done\n");
label:
    __attribute__((unused));
    printf("%d\n", n);
    return n;
}
