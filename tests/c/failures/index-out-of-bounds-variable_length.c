// fails: index-out-of-bounds 8
// gcc: out of bounds
static int last(int n) {
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    int past = n;
    return a[past];
}

int main(void) { return last(5); }
