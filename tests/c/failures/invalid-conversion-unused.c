// fails: invalid-conversion 7
// gcc: is outside the range of representable values
int main(void) {
    double large = 1e30;
    (void)large;
    double *pointer = &large;
    (void)(int)*pointer;
    return 0;
}
