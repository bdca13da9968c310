// fails: null-dereference 7
// gcc: null pointer
int main(void) {
    int x = 1, *p = &x;
    x = *p;
    p = 0;
    return *p;
}
