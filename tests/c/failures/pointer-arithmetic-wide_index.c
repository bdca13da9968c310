// fails: pointer-arithmetic 7
// model: ILP32

int main(void) {
    int a[4] = {1, 2, 3, 4}, *p = a;
    long long i = 0x100000001LL;
    return p[i];
}
