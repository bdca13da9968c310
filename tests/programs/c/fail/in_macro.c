// loupe: run => error division-by-zero 6:12
#define HALF_OF(x, zero) ((x) / (zero))

int main(void) {
    int nothing = 0;
    return HALF_OF(8, nothing);
}
