// fails: invalid-access 9
// gcc: stack-buffer-overflow
struct pair { int a, b; };

int main(void) {
    struct pair p[2] = {{1, 2}, {3, 4}}, *end = p + 2, *q = p;
    int sum = 0;
    while (q <= end)
        sum += q++->b;
    return sum;
}
