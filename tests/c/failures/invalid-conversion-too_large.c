// fails: invalid-conversion 7
// gcc: outside the range
int main(void) {
    double d = 2147483647.0;
    int i = (int)d;
    d += 1;
    i = (int)d;
    return i;
}
