// fails: division-by-zero 7
// gcc: division by zero
int main(void) {
    unsigned char c = 255;
    int r = 10;
    c++;
    r %= c;
    return r;
}
