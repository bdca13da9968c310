// A typedef name can be hidden by a variable, a member or a parameter.
#include <stdio.h>

typedef int number;
typedef char *text;

static number twice(number number) { return number * 2; }

struct s { number text; text number; };

int main(void) {
    number n = 4;
    struct s s = {5, "five"};
    printf("%d %s\n", s.text, s.number);
    {
        double number = 2.5;
        printf("%.1f\n", number * n);
        typedef long long text;
        text t = 1LL << 40;
        printf("%lld\n", t);
    }
    number text = 6;
    unsigned number = 7;
    return twice(n) + text + (int)number;
}
