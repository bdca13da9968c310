// fails: invalid-conversion 7
// gcc: outside the range
int main(void) {
    float f = -0.5f;
    unsigned u = f;
    f *= 3;
    u += (unsigned)f;
    return (int)u;
}
