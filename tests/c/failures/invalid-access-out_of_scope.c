// fails: invalid-access 10
// gcc: stack-use-after-scope
int main(void) {
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int inner = i;
        p = &inner;
        *p += 1;
    }
    return *p;
}
