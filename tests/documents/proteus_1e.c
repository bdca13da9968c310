// Fig. 1(e): the search for B in A. The paper writes A and B for their lengths as well.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
int printf(const char *, ...);
int main(void) {
    int A[4], B[4];
    int lenA = __VERIFIER_nondet_int();
    int lenB = __VERIFIER_nondet_int();
    if (lenA < 0 || lenA > 4 || lenB < 0 || lenB > 4) abort();
    for (int c = 0; c < lenA; c++) A[c] = __VERIFIER_nondet_int();
    for (int c = 0; c < lenB; c++) B[c] = __VERIFIER_nondet_int();
    int i = 0, j = 0;
    while (i < lenA && j < lenB) {
        if (A[i] == B[j]) {
            i++;
            j++;
        } else {
            i = i - j + 1;
            j = 0;
        }
    }
    printf("%d %d\n", i, j);
    return 0;
}
