// fails: pointer-arithmetic 8
// check: pointer-arithmetic
int main(void) {
    int a[4], b[4];
    int *p = &a[1], *q = &a[3];
    long n = q - p;
    q = b;
    n = q - p;
    return n != 0;
}
