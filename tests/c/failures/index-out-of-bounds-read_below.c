// fails: index-out-of-bounds 5
// gcc: out of bounds
int main(void) {
    int a[4] = {1, 2, 3, 4}, i = 3;
    while (a[i] > 0)
        i--;
    return i;
}
