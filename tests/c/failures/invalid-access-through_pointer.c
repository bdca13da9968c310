// fails: invalid-access 6
// gcc: stack-buffer-overflow
static int sum(const int *a, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += *a++;
    return s;
}

int main(void) {
    int a[3] = {1, 2, 3};
    return sum(a, 3) + sum(a, 4);
}
