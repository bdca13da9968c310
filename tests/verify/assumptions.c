// loupe verify
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int mystery(int);
int main(void) {
    long n = mystery(3);
    int *p = malloc(sizeof(int));
    if (p == 0) reach_error();
    *p = 3;
    if (*p != 3) reach_error();
    return 0;
}
