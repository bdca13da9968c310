// fails: uninitialised-value 9
// check: uninitialised-value
int main(void) {
    int a[5];
    for (int i = 0; i < 5; i += 2)
        a[i] = i;
    int sum = 0;
    for (int i = 0; i < 5; i++)
        sum += a[i];
    return sum;
}
