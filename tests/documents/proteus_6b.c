// Fig. 6(b): a search that ends in the middle of the array at the latest.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void reach_error(void);
int printf(const char *, ...);
int main(void) {
    int more = __VERIFIER_nondet_int();
    if (more < 0 || more > 1000) abort();
    int size = more + 1;
    int a[size];
    int j = 0;
    a[size / 2] = 3;
    while (j < size && a[j] != 3)
        j++;
    printf("%d\n", j);
    if (!(j < size))
        reach_error();
    return 0;
}
