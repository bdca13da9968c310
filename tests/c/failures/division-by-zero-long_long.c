// fails: division-by-zero 8
// gcc: division by zero
long long divisor = 1LL << 40;

int main(void) {
    divisor <<= 24;
    long long r = 1;
    r = r / divisor;
    return (int)r;
}
