// fails: signed-overflow 7
// check: signed-overflow
// gcc: signed integer overflow
int main(void) {
    int f = 1;
    for (int i = 1; i < 20; i++)
        f *= i;
    return f;
}
