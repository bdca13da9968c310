// fails: null-dereference 13
// gcc: null pointer
static int *find(int *a, int n, int v) {
    for (int i = 0; i < n; i++)
        if (a[i] == v)
            return &a[i];
    return 0;
}

int main(void) {
    int a[3] = {1, 2, 3};
    *find(a, 3, 2) = 5;
    *find(a, 3, 2) = 6;
    return 0;
}
