// fails: null-dereference 7
// gcc: null pointer
int main(void) {
    int *p = 0, **pp = &p;
    if (*pp)
        return 1;
    return **pp;
}
