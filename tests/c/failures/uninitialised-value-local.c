// fails: uninitialised-value 6
// check: uninitialised-value
// gcc: uninitialized
int main(void) {
    int x, y = 2;
    return x + y;
}
