// fails: invalid-shift 7
// gcc: shift exponent
int main(void) {
    unsigned char c = 1;
    int r = c << 20;
    r += c << 31;
    r += c << (c + 31);
    return r;
}
