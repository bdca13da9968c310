// fails: invalid-shift 7
// gcc: shift exponent
int main(void) {
    int n = 31, x = 1;
    x = x << n;
    n++;
    return x << n;
}
