// The value is that of the last expression.
#include <stdio.h>

#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

int main(void) {
    int x = ({ int t = 5; t * 2; });
    printf("%d\n", x);
    int i = 3;
    printf("%d ", MAX(i++, 2));
    printf("%d\n", i);
    printf("%d\n", MAX(MAX(1, 7), MAX(3, 4)));
    int y = ({ int x = 100; { x++; } x; }) + x;
    printf("%d\n", y);
    ({ x = 1; });
    ({ ; });
    return ({ x; }) + ({ 3, 4; });
}
