// loupe: run => limit
static int table[1 << 30];

int main(void) {
    return table[3];
}
