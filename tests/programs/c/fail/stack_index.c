// loupe: run => error index-out-of-bounds 7:16
int main(void) {
    int squares[4], sum = 0;
    for (int i = 0; i < 4; i++)
        squares[i] = i * i;
    for (int i = 0; i <= 4; i++)
        sum += squares[i];
    return sum;
}
