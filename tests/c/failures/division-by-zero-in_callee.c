// fails: division-by-zero 4
// gcc: division by zero
static int mean(int sum, int n) {
    return sum / n;
}

int main(void) { return mean(3, 1) + mean(4, 2) + mean(0, 0); }
