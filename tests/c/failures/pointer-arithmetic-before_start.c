// fails: pointer-arithmetic 6
// check: pointer-arithmetic
int main(void) {
    char a[4] = "abc", *p = a + 1;
    p--;
    p--;
    return p == a;
}
