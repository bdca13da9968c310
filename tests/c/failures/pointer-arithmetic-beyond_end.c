// fails: pointer-arithmetic 7
// check: pointer-arithmetic
int main(void) {
    int a[4] = {0}, *p = a;
    p = p + 4;
    p = p - 4;
    p = p + 5;
    return p != a;
}
