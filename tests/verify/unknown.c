// loupe verify
extern int __VERIFIER_nondet_int(void);
extern double sqrt(double);
extern void reach_error(void);
extern int mystery(int);
int main(void) {
    int n = __VERIFIER_nondet_int();
    double d = n;
    int *p = 0;
    if (n == 7) n = *p;
    if (d * 0.5 > 3.0) reach_error();
    return 0;
}
