// fails: invalid-conversion 6
// gcc: outside the range
int main(void) {
    double zero = 0;
    double nan = zero / zero;
    long long w = nan;
    return (int)w;
}
