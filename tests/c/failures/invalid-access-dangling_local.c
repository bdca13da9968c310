// fails: invalid-access 11
// gcc: stack-use-after-return
static int *leak(int v) {
    int local = v;
    int *p = &local;
    return p;
}

int main(void) {
    int *p = leak(5);
    return *p;
}
