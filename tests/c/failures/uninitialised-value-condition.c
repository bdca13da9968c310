// fails: uninitialised-value 6
// check: uninitialised-value
// gcc: uninitialized
int main(void) {
    int flag;
    if (flag)
        return 1;
    return 0;
}
