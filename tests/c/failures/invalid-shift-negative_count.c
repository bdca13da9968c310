// fails: invalid-shift 8
// gcc: shift exponent
int main(void) {
    int n = 2;
    unsigned x = 8;
    x >>= n;
    n -= 3;
    x >>= n;
    return (int)x;
}
