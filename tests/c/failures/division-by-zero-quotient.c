// fails: division-by-zero 6
// gcc: division by zero
int main(void) {
    int x = 5, y = x - 5;
    x /= 1;
    return x / y;
}
