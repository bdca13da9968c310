// fails: index-out-of-bounds 8
// gcc: out of bounds
int main(void) {
    static int a[10];
    unsigned i = 5;
    a[i] = 1;
    i -= 6;
    return a[i];
}
