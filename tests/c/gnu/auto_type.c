// __auto_type takes the type of its initialiser.
#include <stdio.h>

#define MAX(a, b) ({ __auto_type a_ = (a); __auto_type b_ = (b); a_ > b_ ? a_ : b_; })

int main(void) {
    __auto_type i = 5;
    __auto_type d = 2.5;
    __auto_type p = &i;
    __auto_type c = (char)'x';
    *p += 1;
    printf("%d %.1f %zu %zu\n", i, d, sizeof c, sizeof(MAX(c, c)));
    printf("%.1f %d\n", MAX(i, 7.5), MAX(3, i));
    return MAX(i, 4);
}
