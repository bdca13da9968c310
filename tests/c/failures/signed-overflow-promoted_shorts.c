// fails: signed-overflow 7
// check: signed-overflow
// gcc: signed integer overflow
int main(void) {
    unsigned short a = 65535;
    unsigned r = a + a;
    r += a * a;
    return (int)r;
}
