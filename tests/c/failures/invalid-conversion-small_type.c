// fails: invalid-conversion 6
// gcc: outside the range
int main(void) {
    double d = 100.5;
    signed char c = d;
    c = d * 2;
    return c;
}
