// loupe: run => rejected 4:18
int main(void) {
    int x = 1;
    return (x + 2;
}
