// loupe: run => error invalid-access 7:16
int main(void) {
    short numbers[3] = {1, 2, 3};
    int sum = 0;
    short *last = numbers + 4;
    for (short *p = numbers; p < last; p++)
        sum += *p;
    return sum;
}
